package dev.escapement.storage.jdbc;

import dev.escapement.api.event.TransitionEvent;
import dev.escapement.common.Json;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.mapping.TransitionMapper;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.ledger.ExecutionRef;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table {@code journal} of one database. The databases differ in how they order records. */
public abstract class JournalTable {

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

    /** As {@link Journal#read}. */
    public abstract List<Journal.Entry> read(SqlSession session, String after, int limit) throws SQLException;

    /** As {@link Journal#endPosition}. */
    public abstract String end(SqlSession session) throws SQLException;

    /** Returns the value of the column {@code era} in new records, if the database has that column. */
    protected Optional<Integer> epoch() {
        return Optional.empty();
    }

    protected static Journal.Entry toEntry(String position, String document) {
        return new Journal.Entry(position, TransitionMapper.fromDocument(Json.read(document, TransitionEvent.class)));
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
