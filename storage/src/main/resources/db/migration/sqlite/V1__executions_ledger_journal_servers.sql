-- Executions as the documents that a cluster would hold; the columns are what they are found by.
CREATE TABLE executions (
    uid        TEXT    NOT NULL PRIMARY KEY,
    namespace  TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    created_at INTEGER NOT NULL, -- microseconds since 1970
    phase      TEXT    NOT NULL,
    is_final   INTEGER NOT NULL,
    workflow   TEXT    NOT NULL,
    target     TEXT    NOT NULL, -- canonical, or what somebody wrote in its place
    owner      TEXT    NOT NULL, -- the server that carries it on
    version    INTEGER NOT NULL,
    document   TEXT    NOT NULL,
    UNIQUE (namespace, name)
);

CREATE INDEX executions_newest ON executions (created_at, uid);
CREATE INDEX executions_of_namespace ON executions (namespace, created_at, uid);
CREATE INDEX executions_in_phase ON executions (phase, created_at, uid);
CREATE INDEX executions_of_workflow ON executions (workflow, created_at, uid);
CREATE INDEX executions_on_target ON executions (target, created_at, uid);
CREATE INDEX executions_unfinished ON executions (owner, uid) WHERE NOT is_final;

-- One row per target that is held, cooling down or failing.
CREATE TABLE ledger (
    target      TEXT    NOT NULL PRIMARY KEY,
    object_name TEXT    NOT NULL,
    holder      TEXT    NOT NULL, -- the uid of the execution that holds it, or empty
    failing     INTEGER NOT NULL,
    written_at  INTEGER NOT NULL, -- microseconds since 1970
    version     INTEGER NOT NULL,
    document    TEXT    NOT NULL
);

CREATE INDEX ledger_by_object_name ON ledger (object_name);
CREATE INDEX ledger_held ON ledger (holder) WHERE holder <> '';
CREATE INDEX ledger_held_by_target ON ledger (target) WHERE holder <> '';
CREATE INDEX ledger_failing ON ledger (target) WHERE failing;
CREATE INDEX ledger_resting ON ledger (written_at, target) WHERE holder = '' AND NOT failing;

-- A row that is deleted and made again starts above every version that it ever had: nobody who saw the old row
-- can take the new one for it.
CREATE TABLE version_floor (version INTEGER NOT NULL);
INSERT INTO version_floor (version) VALUES (1);

CREATE TRIGGER executions_deleted AFTER DELETE ON executions BEGIN
    UPDATE version_floor SET version = max(version, OLD.version + 1);
END;

CREATE TRIGGER ledger_deleted AFTER DELETE ON ledger BEGIN
    UPDATE version_floor SET version = max(version, OLD.version + 1);
END;

-- There is one writer at a time, so positions are in the order of commits.
CREATE TABLE journal (
    position    INTEGER PRIMARY KEY AUTOINCREMENT,
    type        TEXT    NOT NULL,
    happened_at INTEGER NOT NULL, -- microseconds since 1970
    execution   TEXT    NOT NULL, -- uid, or empty
    target      TEXT    NOT NULL,
    document    TEXT    NOT NULL
);

-- Who carries executions on. A server whose lease lapsed is gone once another has taken over from it.
CREATE TABLE servers (
    id          TEXT    NOT NULL PRIMARY KEY,
    name        TEXT    NOT NULL,
    incarnation INTEGER NOT NULL,
    lease_ends  INTEGER NOT NULL, -- milliseconds since 1970, by the clock of the database
    gone        INTEGER NOT NULL
);
