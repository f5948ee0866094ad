package dev.escapement.notifications.audit;

import java.time.Instant;

/** The number and the hash of an entry at some time, to be kept elsewhere and compared later. */
public record AuditCheckpoint(long sequence, String hash, Instant createdAt) {}
