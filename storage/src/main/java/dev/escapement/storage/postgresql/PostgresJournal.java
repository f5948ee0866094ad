package dev.escapement.storage.postgresql;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.JournalRows;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Ordered by transaction, and read only as far as no older transaction is under way. So nothing ever appears before
 * what was read, and nobody who writes waits for anybody. A write transaction of whomever on the same PostgreSQL that
 * stays open keeps newer records from being read until it ends.
 */
final class PostgresJournal implements JournalTable {

    /**
     * How far the journal can be read.
     *
     * @param end the newest record that can be read
     * @param more whether there are newer ones that cannot be read yet
     */
    record Look(String end, boolean more) {}

    private static final String OLDEST_UNDER_WAY = "(SELECT pg_snapshot_xmin(pg_current_snapshot()))";
    private static final String READABLE = "(era < ? OR xid < " + OLDEST_UNDER_WAY + ")";

    static final String READ =
            "SELECT era, xid, seq, document FROM journal WHERE (era, xid, seq) > (?, CAST(? AS xid8), ?)" + " AND "
                    + READABLE + " ORDER BY era, xid, seq LIMIT ?";
    static final String END =
            "SELECT era, xid, seq FROM journal WHERE " + READABLE + " ORDER BY era DESC, xid DESC, seq DESC LIMIT 1";
    /** Asked of the newest record alone: a search for any such record would go through all of them. */
    static final String MORE =
            "SELECT 1 FROM (SELECT era, xid FROM journal ORDER BY era DESC, xid DESC, seq DESC LIMIT 1) AS newest"
                    + " WHERE era = ? AND xid >= " + OLDEST_UNDER_WAY;

    private final Runnable beforeLooking;
    private volatile int era;

    /** @param beforeLooking called before others than the listener read */
    PostgresJournal(int era, Runnable beforeLooking) {
        this.era = era;
        this.beforeLooking = beforeLooking;
    }

    void enter(int now) {
        era = now;
    }

    @Override
    public void append(Session session, List<Transition> records) throws SQLException {
        JournalRows.append(session, records, Optional.of(era));
    }

    @Override
    public List<Journal.Entry> read(Session session, String after, int limit) throws SQLException {
        String[] parts = after.isEmpty() ? new String[] {"0", "0", "0"} : after.split("-", -1);
        if (parts.length != 3) {
            throw JournalRows.noPosition(after);
        }
        beforeLooking.run();
        return session.list(
                READ,
                columns -> JournalRows.entry(position(columns), columns.getString(4)),
                (int) Math.min(JournalRows.number(after, parts[0]), Integer.MAX_VALUE),
                Long.toString(JournalRows.number(after, parts[1])),
                JournalRows.number(after, parts[2]),
                era,
                limit);
    }

    @Override
    public String end(Session session) throws SQLException {
        beforeLooking.run();
        return endNow(session);
    }

    private String endNow(Session session) throws SQLException {
        return session.first(END, PostgresJournal::position, era).orElse(Journal.START);
    }

    Look look(Session session) throws SQLException {
        // In this order: what becomes readable in between was seen as unreadable, and is looked for again.
        boolean more = session.exists(MORE, era);
        return new Look(endNow(session), more);
    }

    private static String position(ResultSet columns) throws SQLException {
        return columns.getString(1) + "-" + columns.getString(2) + "-" + columns.getString(3);
    }
}
