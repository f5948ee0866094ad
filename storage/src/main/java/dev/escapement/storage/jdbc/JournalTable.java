package dev.escapement.storage.jdbc;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import java.sql.SQLException;
import java.util.List;

/** The journal in a database: how records are put in order is what differs most. */
public interface JournalTable {

    /** Appends records, in one statement; none is fine. */
    void append(SqlSession session, List<Transition> records) throws SQLException;

    /** As {@link Journal#read}. */
    List<Journal.Entry> read(SqlSession session, String after, int limit) throws SQLException;

    /** As {@link Journal#endPosition}. */
    String end(SqlSession session) throws SQLException;
}
