package dev.escapement.storage.jdbc;

import java.sql.SQLException;

/** Something to do on a session. It may be done several times, so it must not change anything but the database. */
@FunctionalInterface
public interface TransactionBody<T> {

    /** Does it. */
    T execute(SqlSession session) throws SQLException;
}
