-- Text is compared by bytes ("C"), so that lists have one order on every server. Times are microseconds since 1970.

-- Endpoints. Every run changes a row twice, so there is room left beside it, and every index that it is in costs.
CREATE TABLE endpoints (
    id               text COLLATE "C" NOT NULL PRIMARY KEY,
    name             text COLLATE "C" NOT NULL,
    host             text COLLATE "C" NOT NULL, -- what concurrency is limited by
    timeout_millis   bigint           NOT NULL,
    created_at       bigint           NOT NULL,
    version          bigint           NOT NULL, -- changes with every write but renewals
    revision         bigint           NOT NULL, -- changes when people change something
    archived         boolean          NOT NULL,
    paused_until     bigint           NOT NULL, -- 0: not paused
    document         text             NOT NULL, -- what people say of it: JSON, kept to the letter

    origin           bigint           NOT NULL,
    failures         integer          NOT NULL,
    last_slot        bigint           NOT NULL, -- -1: never ran
    last_ended       bigint           NOT NULL, -- -1: never ran
    last_retry_after bigint           NOT NULL, -- microseconds; -1: not asked for
    number           bigint           NOT NULL, -- of the next run

    next_at          bigint           NOT NULL, -- the slot of the next run; the end of the year 9999: never
    plan_source      text             NOT NULL,
    plan             text             NOT NULL, -- JSON, kept to the letter

    -- The lease is apart from the schedule: people may change the one while the other is held.
    lease_token      text COLLATE "C" NOT NULL, -- empty: nobody's
    lease_worker     text             NOT NULL,
    lease_since      bigint           NOT NULL,
    lease_until      bigint           NOT NULL, -- 0: nobody's
    due_at           bigint           NOT NULL, -- when the last claim became possible
    attempts         integer          NOT NULL, -- at the next run, as far as they were begun
    claimable_at     bigint           NOT NULL GENERATED ALWAYS AS (GREATEST(next_at, lease_until)) STORED,

    remedy_due       bigint           NOT NULL, -- the number of the run that calls for a remediation; 0: none does
    remedy_seen      bigint           NOT NULL, -- when somebody last looked at it
    remedy_run       bigint           NOT NULL, -- the number of the run that the remedy is for; 0: there is none
    remedy_requested boolean          NOT NULL,
    remedy           text             NOT NULL  -- JSON, or empty
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE UNIQUE INDEX endpoints_by_name ON endpoints (name) WHERE NOT archived;
CREATE INDEX endpoints_claimable ON endpoints (claimable_at) WHERE NOT archived;
-- These have few rows, so most changes do not touch them.
CREATE INDEX endpoints_archived ON endpoints (name, id) WHERE archived;
CREATE INDEX endpoints_failing ON endpoints (name, id) WHERE failures > 0 AND NOT archived;
CREATE INDEX endpoints_paused ON endpoints (name, id) WHERE paused_until > 0 AND NOT archived;
CREATE INDEX endpoints_remedy_due ON endpoints (remedy_seen) WHERE remedy_due > 0 AND NOT archived;

-- The history. It is only appended to, and removed from.
CREATE TABLE runs (
    endpoint        text COLLATE "C" NOT NULL,
    number          bigint           NOT NULL,
    name            text             NOT NULL,
    attempt         integer          NOT NULL,
    slot            bigint           NOT NULL,
    due_at          bigint           NOT NULL,
    started_at      bigint           NOT NULL,
    ended_at        bigint           NOT NULL,
    worker          text             NOT NULL,
    source          text             NOT NULL,
    story           text             NOT NULL, -- JSON, kept to the letter
    failures_before integer          NOT NULL,
    failures_after  integer          NOT NULL,
    missed          bigint           NOT NULL,
    missed_reason   text             NOT NULL,
    failed          boolean          NOT NULL,
    failure         text             NOT NULL, -- empty: it went well
    status          integer          NOT NULL, -- -1: there was no answer
    error           text             NOT NULL,
    excerpt         text             NOT NULL,
    bytes           bigint           NOT NULL,
    retry_after     bigint           NOT NULL, -- microseconds; -1: not asked for
    PRIMARY KEY (endpoint, number)
);

-- Both lists, of failures and of successes, in order; what is in order in both can be merged.
CREATE INDEX runs_by_end ON runs (failed, ended_at, endpoint, number);
