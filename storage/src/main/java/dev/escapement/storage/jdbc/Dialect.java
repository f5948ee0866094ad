package dev.escapement.storage.jdbc;

import java.util.List;
import java.util.function.Function;

/**
 * SQL fragments that differ between the databases.
 *
 * @param newVersion expression for the version of an inserted row
 * @param nextVersion expression for the version of an updated row
 * @param nowMillis expression for the database clock, in milliseconds since 1970
 * @param nowMicros the same in microseconds; the resolution may be milliseconds
 * @param forUpdate suffix that locks the selected rows; empty for a database with a single writer
 * @param skipLocked suffix that locks the selected rows and skips locked ones; empty for a single writer
 * @param greatest name of the function that returns its greatest argument
 * @param batchTable returns the table expression after FROM for many rows that are one parameter, a JSON array of
 *     objects. Takes "name type" of each column: the key in the objects, and the type in PostgreSQL
 */
public record Dialect(
        String newVersion,
        String nextVersion,
        String nowMillis,
        String nowMicros,
        String forUpdate,
        String skipLocked,
        String greatest,
        Function<List<String>, String> batchTable) {}
