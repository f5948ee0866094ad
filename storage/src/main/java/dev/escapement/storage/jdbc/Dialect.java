package dev.escapement.storage.jdbc;

/**
 * The few pieces of SQL that differ.
 *
 * @param newVersion the version of a row that is being inserted
 * @param nextVersion the version of a row that is being changed
 * @param nowMillis the clock of the database, in milliseconds since 1970
 */
public record Dialect(String newVersion, String nextVersion, String nowMillis) {}
