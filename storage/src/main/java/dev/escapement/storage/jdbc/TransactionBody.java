package dev.escapement.storage.jdbc;

import java.sql.SQLException;

/** The statements of one operation. May be executed several times, so it must change nothing but the database. */
@FunctionalInterface
public interface TransactionBody<T> {

    T execute(SqlSession session) throws SQLException;
}
