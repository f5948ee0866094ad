-- Text is compared by bytes ("C"), so that lists have one order on every server.

-- Versions come from here: unique for ever, so that nobody who saw a row takes one that was made again for it.
CREATE SEQUENCE row_version AS bigint CACHE 1;

-- Executions as the documents that a cluster would hold; the columns are what they are found by.
CREATE TABLE executions (
    uid        text COLLATE "C" NOT NULL PRIMARY KEY,
    namespace  text COLLATE "C" NOT NULL,
    name       text COLLATE "C" NOT NULL,
    created_at bigint           NOT NULL, -- microseconds since 1970
    phase      text COLLATE "C" NOT NULL,
    is_final   boolean          NOT NULL,
    workflow   text COLLATE "C" NOT NULL,
    target     text COLLATE "C" NOT NULL, -- canonical, or what somebody wrote in its place
    owner      text COLLATE "C" NOT NULL, -- the server that carries it on
    version    bigint           NOT NULL,
    document   text             NOT NULL, -- JSON, kept to the letter
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
    target      text COLLATE "C" NOT NULL PRIMARY KEY,
    object_name text COLLATE "C" NOT NULL,
    holder      text COLLATE "C" NOT NULL, -- the uid of the execution that holds it, or empty
    failing     boolean          NOT NULL,
    written_at  bigint           NOT NULL, -- microseconds since 1970
    version     bigint           NOT NULL,
    document    text             NOT NULL  -- JSON, kept to the letter
);

CREATE INDEX ledger_by_object_name ON ledger (object_name);
CREATE INDEX ledger_held ON ledger (holder) WHERE holder <> '';
CREATE INDEX ledger_held_by_target ON ledger (target) WHERE holder <> '';
CREATE INDEX ledger_failing ON ledger (target) WHERE failing;
CREATE INDEX ledger_resting ON ledger (written_at, target) WHERE holder = '' AND NOT failing;

-- Numbers of a sequence are not in the order of commits, and a lock for all commits would make writers queue. A
-- record is ordered by its transaction and is read only when no older transaction is under way, so that nothing
-- appears before what was read. Transactions count anew in a database that was restored elsewhere: that is a new era.
CREATE TABLE journal (
    era         integer          NOT NULL,
    xid         xid8             NOT NULL DEFAULT pg_current_xact_id(),
    seq         bigint           NOT NULL GENERATED ALWAYS AS IDENTITY,
    type        text COLLATE "C" NOT NULL,
    happened_at bigint           NOT NULL, -- microseconds since 1970
    execution   text COLLATE "C" NOT NULL, -- uid, or empty
    target      text COLLATE "C" NOT NULL,
    document    text             NOT NULL, -- JSON, kept to the letter
    PRIMARY KEY (era, xid, seq)
);

CREATE TABLE journal_era (era integer NOT NULL);
INSERT INTO journal_era (era) VALUES (1);

-- Who carries executions on. A server whose lease lapsed is gone once another has taken over from it.
CREATE TABLE servers (
    id          text COLLATE "C" NOT NULL PRIMARY KEY,
    name        text             NOT NULL,
    incarnation bigint           NOT NULL,
    lease_ends  bigint           NOT NULL, -- milliseconds since 1970, by the clock of the database
    gone        boolean          NOT NULL
);
