-- Times are microseconds since 1970.

-- Endpoints. Every run changes a row twice; every index that it is in costs.
CREATE TABLE endpoints (
    id               TEXT    NOT NULL PRIMARY KEY,
    name             TEXT    NOT NULL,
    host             TEXT    NOT NULL, -- what concurrency is limited by
    timeout_millis   INTEGER NOT NULL,
    created_at       INTEGER NOT NULL,
    version          INTEGER NOT NULL, -- changes with every write but renewals
    revision         INTEGER NOT NULL, -- changes when people change something
    archived         INTEGER NOT NULL,
    paused_until     INTEGER NOT NULL, -- 0: not paused
    document         TEXT    NOT NULL, -- what people say of it: JSON, kept to the letter

    origin           INTEGER NOT NULL,
    failures         INTEGER NOT NULL,
    last_slot        INTEGER NOT NULL, -- -1: never ran
    last_ended       INTEGER NOT NULL, -- -1: never ran
    last_retry_after INTEGER NOT NULL, -- microseconds; -1: not asked for
    number           INTEGER NOT NULL, -- of the next run

    next_at          INTEGER NOT NULL, -- the slot of the next run; the end of the year 9999: never
    plan_source      TEXT    NOT NULL,
    plan             TEXT    NOT NULL, -- JSON, kept to the letter

    -- The lease is apart from the schedule: people may change the one while the other is held.
    lease_token      TEXT    NOT NULL, -- empty: nobody's
    lease_worker     TEXT    NOT NULL,
    lease_since      INTEGER NOT NULL,
    lease_until      INTEGER NOT NULL, -- 0: nobody's
    due_at           INTEGER NOT NULL, -- when the last claim became possible
    attempts         INTEGER NOT NULL, -- at the next run, as far as they were begun
    claimable_at     INTEGER NOT NULL GENERATED ALWAYS AS (max(next_at, lease_until)) STORED,

    remedy_due       INTEGER NOT NULL, -- the number of the run that calls for a remediation; 0: none does
    remedy_seen      INTEGER NOT NULL, -- when somebody last looked at it
    remedy_run       INTEGER NOT NULL, -- the number of the run that the remedy is for; 0: there is none
    remedy_requested INTEGER NOT NULL,
    remedy           TEXT    NOT NULL  -- JSON, or empty
);

CREATE UNIQUE INDEX endpoints_by_name ON endpoints (name) WHERE NOT archived;
-- The host is there to be looked at before the row is; after the id, so that what is due at once is not sorted by host.
CREATE INDEX endpoints_claimable ON endpoints (claimable_at, id, host) WHERE NOT archived;
-- These have few rows, so most changes do not touch them.
CREATE INDEX endpoints_archived ON endpoints (name, id) WHERE archived;
CREATE INDEX endpoints_failing ON endpoints (name, id) WHERE failures > 0 AND NOT archived;
CREATE INDEX endpoints_paused ON endpoints (name, id) WHERE paused_until > 0 AND NOT archived;
CREATE INDEX endpoints_remedy_due ON endpoints (remedy_seen) WHERE remedy_due > 0 AND NOT archived;

-- The history. It is only appended to, and removed from.
CREATE TABLE runs (
    endpoint        TEXT    NOT NULL,
    number          INTEGER NOT NULL,
    name            TEXT    NOT NULL,
    attempt         INTEGER NOT NULL,
    slot            INTEGER NOT NULL,
    due_at          INTEGER NOT NULL,
    started_at      INTEGER NOT NULL,
    ended_at        INTEGER NOT NULL,
    worker          TEXT    NOT NULL,
    source          TEXT    NOT NULL,
    story           TEXT    NOT NULL, -- JSON, kept to the letter
    failures_before INTEGER NOT NULL,
    failures_after  INTEGER NOT NULL,
    missed          INTEGER NOT NULL,
    missed_reason   TEXT    NOT NULL,
    failed          INTEGER NOT NULL,
    failure         TEXT    NOT NULL, -- empty: it went well
    status          INTEGER NOT NULL, -- -1: there was no answer
    error           TEXT    NOT NULL,
    excerpt         TEXT    NOT NULL,
    bytes           INTEGER NOT NULL,
    retry_after     INTEGER NOT NULL, -- microseconds; -1: not asked for
    PRIMARY KEY (endpoint, number)
);

-- Both lists, of failures and of successes, in order; what is in order in both can be merged.
CREATE INDEX runs_by_end ON runs (failed, ended_at, endpoint, number);
