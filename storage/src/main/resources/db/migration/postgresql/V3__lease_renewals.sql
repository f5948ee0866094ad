-- Grows with every registration and renewal. A server that finds a smaller number than it wrote knows that the database
-- was restored from a backup.
ALTER TABLE servers ADD COLUMN renewals bigint NOT NULL DEFAULT 0;
