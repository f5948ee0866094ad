-- The audit trail: one row per journal record, each with the hash of the row before. Rows are never updated.
CREATE TABLE audit (
    sequence      bigint NOT NULL PRIMARY KEY,
    previous_hash text COLLATE "C" NOT NULL,
    hash          text COLLATE "C" NOT NULL, -- SHA-256 of previous_hash, a line break and document
    id            text COLLATE "C" NOT NULL,
    type          text COLLATE "C" NOT NULL,
    occurred_at   bigint NOT NULL, -- microseconds since 1970
    actor         text COLLATE "C" NOT NULL, -- or empty
    execution     text COLLATE "C" NOT NULL, -- namespace and name, or empty
    target        text COLLATE "C" NOT NULL,
    document      text NOT NULL  -- JSON with sorted keys, kept to the letter
);

CREATE INDEX audit_by_id ON audit (id);
CREATE INDEX audit_of_type ON audit (type, sequence);
CREATE INDEX audit_at_time ON audit (occurred_at);
CREATE INDEX audit_by_actor ON audit (actor, sequence) WHERE actor <> '';
CREATE INDEX audit_of_execution ON audit (execution, sequence) WHERE execution <> '';
CREATE INDEX audit_on_target ON audit (target, sequence);

-- One row: the newest entry, how far the journal is copied, and the entry before the oldest one that is kept.
CREATE TABLE audit_head (
    sequence         bigint NOT NULL,
    hash             text COLLATE "C" NOT NULL,
    journal_position text COLLATE "C" NOT NULL,
    anchor_sequence  bigint NOT NULL,
    anchor_hash      text COLLATE "C" NOT NULL
);
INSERT INTO audit_head (sequence, hash, journal_position, anchor_sequence, anchor_hash)
VALUES (0, '0000000000000000000000000000000000000000000000000000000000000000', '',
        0, '0000000000000000000000000000000000000000000000000000000000000000');

-- Hashes to keep elsewhere, too: a chain that was computed again does not match them.
CREATE TABLE audit_checkpoints (
    sequence   bigint NOT NULL PRIMARY KEY,
    hash       text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL -- microseconds since 1970
);

-- One row: up to which entry the sink has confirmed records, and which server sends.
CREATE TABLE audit_sink (
    sequence    bigint NOT NULL,
    server      text COLLATE "C" NOT NULL, -- or empty
    lease_until bigint NOT NULL -- milliseconds since 1970, by the clock of the database
);
INSERT INTO audit_sink (sequence, server, lease_until) VALUES (0, '', 0);

-- Records that the sink refused. The trail may remove its entry before somebody sends the record again.
CREATE TABLE audit_dead_letters (
    sequence         bigint NOT NULL PRIMARY KEY,
    status           bigint NOT NULL, -- of HTTP
    error            text NOT NULL,
    refused_at       bigint NOT NULL, -- microseconds since 1970
    replay_requested boolean NOT NULL,
    document         text NOT NULL
);

CREATE INDEX audit_dead_letters_replayed ON audit_dead_letters (sequence) WHERE replay_requested;
