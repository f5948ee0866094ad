-- The audit trail: one row per journal record, each with the hash of the row before. Rows are never updated.
CREATE TABLE audit (
    sequence      INTEGER PRIMARY KEY,
    previous_hash TEXT    NOT NULL,
    hash          TEXT    NOT NULL, -- SHA-256 of previous_hash, a line break and document
    id            TEXT    NOT NULL,
    type          TEXT    NOT NULL,
    occurred_at   INTEGER NOT NULL, -- microseconds since 1970
    actor         TEXT    NOT NULL, -- or empty
    execution     TEXT    NOT NULL, -- namespace and name, or empty
    target        TEXT    NOT NULL,
    document      TEXT    NOT NULL  -- JSON with sorted keys, kept to the letter
);

CREATE INDEX audit_by_id ON audit (id);
CREATE INDEX audit_of_type ON audit (type, sequence);
CREATE INDEX audit_at_time ON audit (occurred_at);
CREATE INDEX audit_by_actor ON audit (actor, sequence) WHERE actor <> '';
CREATE INDEX audit_of_execution ON audit (execution, sequence) WHERE execution <> '';
CREATE INDEX audit_on_target ON audit (target, sequence);

-- One row: the newest entry, how far the journal is copied, and the entry before the oldest one that is kept.
CREATE TABLE audit_head (
    sequence         INTEGER NOT NULL,
    hash             TEXT    NOT NULL,
    journal_position TEXT    NOT NULL,
    anchor_sequence  INTEGER NOT NULL,
    anchor_hash      TEXT    NOT NULL
);
INSERT INTO audit_head (sequence, hash, journal_position, anchor_sequence, anchor_hash)
VALUES (0, '0000000000000000000000000000000000000000000000000000000000000000', '',
        0, '0000000000000000000000000000000000000000000000000000000000000000');

-- Hashes to keep elsewhere, too: a chain that was computed again does not match them.
CREATE TABLE audit_checkpoints (
    sequence   INTEGER PRIMARY KEY,
    hash       TEXT    NOT NULL,
    created_at INTEGER NOT NULL -- microseconds since 1970
);

-- One row: up to which entry the sink has confirmed records, and which server sends.
CREATE TABLE audit_sink (
    sequence    INTEGER NOT NULL,
    server      TEXT NOT NULL, -- or empty
    lease_until INTEGER NOT NULL -- milliseconds since 1970, by the clock of the database
);
INSERT INTO audit_sink (sequence, server, lease_until) VALUES (0, '', 0);

-- Records that the sink refused. The trail may remove its entry before somebody sends the record again.
CREATE TABLE audit_dead_letters (
    sequence         INTEGER PRIMARY KEY,
    status           INTEGER NOT NULL, -- of HTTP
    error            TEXT NOT NULL,
    refused_at       INTEGER NOT NULL, -- microseconds since 1970
    replay_requested INTEGER NOT NULL,
    document         TEXT NOT NULL
);

CREATE INDEX audit_dead_letters_replayed ON audit_dead_letters (sequence) WHERE replay_requested;
