package dev.escapement.storage.jdbc;

import dev.escapement.api.event.TransitionEvent;
import dev.escapement.common.Json;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.mapping.TransitionMapper;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.ledger.ExecutionRef;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table {@code journal} of one database. The databases differ in how they order records. */
public abstract class JournalTable {

    private static final Logger LOG = LoggerFactory.getLogger(JournalTable.class);

    /** Appends records in one statement; does nothing if there are none. */
    public final void append(SqlSession session, List<Transition> records) throws SQLException {
        if (records.isEmpty()) {
            return;
        }
        Optional<Integer> epoch = epoch();
        List<Object> parameters = new ArrayList<>();
        for (Transition record : records) {
            epoch.ifPresent(parameters::add);
            parameters.add(record.type().name());
            parameters.add(EpochMicros.of(record.at()));
            parameters.add(record.execution().map(ExecutionRef::uid).orElse(""));
            parameters.add(SearchKey.of(record.target()));
            parameters.add(Json.write(TransitionMapper.toDocument(record)));
        }
        String values = epoch.isPresent() ? "(?, ?, ?, ?, ?, ?)" : "(?, ?, ?, ?, ?)";
        session.update(
                "INSERT INTO journal (" + (epoch.isPresent() ? "era, " : "")
                        + "type, happened_at, execution, target, document) VALUES " + values
                        + (", " + values).repeat(records.size() - 1),
                parameters.toArray());
    }

    /**
     * Deletes records of before an instant from the beginning of the journal, so that positions stay valid.
     *
     * @param upTo positions up to which the journal was read by those who must read all of it: the rest is kept
     * @param limit how many records are looked at
     * @return how many were deleted
     */
    public final int removeOldest(SqlSession session, Instant before, List<String> upTo, int limit)
            throws SQLException {
        String key = keyColumns();
        List<Object> parameters = new ArrayList<>(List.of(limit, EpochMicros.of(before)));
        upTo.forEach(position -> parameters.addAll(parsePosition(position)));
        String wasRead = " AND (%s) <= (%s)".formatted(key, positionParameters());
        return session.update(
                "DELETE FROM journal WHERE (%s) IN (SELECT %s FROM journal ORDER BY %s LIMIT ?) AND happened_at < ?"
                                .formatted(key, key, key)
                        + wasRead.repeat(upTo.size()),
                parameters.toArray());
    }

    /** Returns the placeholders of the values of {@link #parsePosition}. */
    protected abstract String positionParameters();

    /** Returns the values of the key columns at a position. */
    protected abstract List<Object> parsePosition(String position);

    /** Returns the columns by which records are ordered. */
    protected abstract String keyColumns();

    /** Reads as {@link Journal#read} does, but leaves out records that cannot be read. */
    public final List<Journal.Entry> read(SqlSession session, String after, int limit) throws SQLException {
        List<Journal.Entry> entries = new ArrayList<>();
        String position = after;
        boolean more = true;
        while (more) {
            int wanted = limit - entries.size();
            List<StoredRecord> batch = list(session, position, wanted);
            batch.forEach(record -> record.tryParse().ifPresent(entries::add));
            more = batch.size() == wanted && entries.size() < limit;
            position = batch.isEmpty() ? position : batch.get(batch.size() - 1).position();
        }
        return entries;
    }

    /** Lists the records after a position, oldest first. */
    protected abstract List<StoredRecord> list(SqlSession session, String after, int limit) throws SQLException;

    /** As {@link Journal#endPosition}. */
    public abstract String end(SqlSession session) throws SQLException;

    /** Returns the value of the column {@code era} in new records, if the database has that column. */
    protected Optional<Integer> epoch() {
        return Optional.empty();
    }

    /** A row of the journal. */
    public record StoredRecord(String position, String document) {

        /** Returns empty for a record that cannot be read, so that it does not hide others; the log names it. */
        Optional<Journal.Entry> tryParse() {
            try {
                TransitionEvent event = Json.read(document, TransitionEvent.class);
                return Optional.of(new Journal.Entry(position, TransitionMapper.fromDocument(event)));
            } catch (RuntimeException unreadable) {
                LOG.warn("Journal record {} cannot be read and is left out: {}", position, unreadable.toString());
                return Optional.empty();
            }
        }
    }

    /**
     * Parses one part of a position, a number that is not negative.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    protected static long parsePositionPart(String position, String part) {
        try {
            long number = Long.parseUnsignedLong(part);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException malformed) {
            throw invalidPosition(position);
        }
        throw invalidPosition(position);
    }

    protected static IllegalArgumentException invalidPosition(String position) {
        return new IllegalArgumentException(
                "\"%s\" is not a journal position: use the position of a record that was read, or none"
                        .formatted(position.length() > 100 ? position.substring(0, 100) + "..." : position));
    }
}
