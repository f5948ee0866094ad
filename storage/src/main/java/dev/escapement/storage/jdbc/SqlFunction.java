package dev.escapement.storage.jdbc;

import java.sql.SQLException;

/** A function that uses JDBC: converts a row, or executes the statements of one operation. */
@FunctionalInterface
public interface SqlFunction<A, R> {

    R apply(A argument) throws SQLException;
}
