-- The channels that have not received a notification, each between commas: those of a busy channel are not claimed.
ALTER TABLE notifications ADD COLUMN channels text NOT NULL DEFAULT '';
