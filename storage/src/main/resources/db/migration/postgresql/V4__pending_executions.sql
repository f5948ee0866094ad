-- What waits for a target is found without reading what has ended there.
CREATE INDEX executions_pending ON executions (target, created_at, uid) WHERE phase = 'Pending';
