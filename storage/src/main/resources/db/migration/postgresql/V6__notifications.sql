-- Text is compared by bytes ("C"), so that lists have one order on every server. Times are microseconds since 1970.

-- Notifications and their delivery.
CREATE TABLE notifications (
    name         text COLLATE "C" NOT NULL PRIMARY KEY, -- a function of what happened, so that it is created once
    created_at   bigint           NOT NULL,
    severity     text COLLATE "C" NOT NULL,
    target       text COLLATE "C" NOT NULL, -- empty in a summary of several targets
    phase        text COLLATE "C" NOT NULL,
    next_at      bigint           NOT NULL, -- when the next attempt is due
    finished_at  bigint           NOT NULL, -- 0: not in a terminal phase
    lease_token  text COLLATE "C" NOT NULL, -- empty: not claimed
    lease_until  bigint           NOT NULL, -- 0: not claimed
    claimable_at bigint           NOT NULL GENERATED ALWAYS AS (GREATEST(next_at, lease_until)) STORED,
    document     text             NOT NULL  -- JSON, kept to the letter
);

CREATE INDEX notifications_claimable ON notifications (claimable_at) WHERE finished_at = 0;
CREATE INDEX notifications_finished ON notifications (finished_at) WHERE finished_at > 0;
CREATE INDEX notifications_by_time ON notifications (created_at, name);
CREATE INDEX notifications_by_target ON notifications (target, created_at, name);

-- What each group of notifications has sent and counted in its current window.
CREATE TABLE notification_windows (
    group_id   text COLLATE "C" NOT NULL PRIMARY KEY,
    window_end bigint           NOT NULL,
    document   text             NOT NULL -- JSON
);

CREATE INDEX notification_windows_by_end ON notification_windows (window_end);

-- Up to which record of the journal notifications were created; one row.
CREATE TABLE notification_position (
    id       integer NOT NULL PRIMARY KEY CHECK (id = 1),
    position text    NOT NULL
);
