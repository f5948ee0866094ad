package dev.escapement.storage.jdbc;

/**
 * The few pieces of SQL that differ.
 *
 * @param newVersion the version of a row that is being inserted
 * @param nextVersion the version of a row that is being changed
 * @param nowMillis the clock of the database, in milliseconds since 1970
 * @param nowMicros the same in microseconds, as far as it is that exact
 * @param forUpdate locks the rows that a query finds; empty where there is one writer at a time
 * @param skipLocked passes over rows that somebody else has locked; empty where there is one writer at a time
 * @param greatest the function that gives the greatest of its arguments
 * @param batchSyntax many rows as one parameter
 */
public record Dialect(
        String newVersion,
        String nextVersion,
        String nowMillis,
        String nowMicros,
        String forUpdate,
        String skipLocked,
        String greatest,
        BatchSyntax batchSyntax) {}
