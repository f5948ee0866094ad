package dev.escapement.storage.jdbc;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import java.sql.SQLException;
import java.util.List;

/** The journal table of one database. The databases differ in how they order records. */
public interface JournalTable {

    /** Appends records in one statement; does nothing if there are none. */
    void append(SqlSession session, List<Transition> records) throws SQLException;

    /** As {@link Journal#read}. */
    List<Journal.Entry> read(SqlSession session, String after, int limit) throws SQLException;

    /** As {@link Journal#endPosition}. */
    String end(SqlSession session) throws SQLException;
}
