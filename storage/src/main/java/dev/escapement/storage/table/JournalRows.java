package dev.escapement.storage.table;

import dev.escapement.api.event.TransitionEvent;
import dev.escapement.common.Json;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.mapping.TransitionMapper;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes the columns of the table {@code journal} that both databases have. */
public final class JournalRows {

    private JournalRows() {}

    /**
     * Appends records in one statement; does nothing if there are none.
     *
     * @param epoch value of the column {@code era}, which only PostgreSQL has
     */
    public static void append(SqlSession session, List<Transition> records, Optional<Integer> epoch)
            throws SQLException {
        if (records.isEmpty()) {
            return;
        }
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

    public static Journal.Entry toEntry(String position, String document) {
        return new Journal.Entry(position, TransitionMapper.fromDocument(Json.read(document, TransitionEvent.class)));
    }

    /**
     * Parses one part of a position, a number that is not negative.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static long parsePositionPart(String position, String part) {
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

    public static IllegalArgumentException invalidPosition(String position) {
        return new IllegalArgumentException(
                "\"%s\" is not a journal position: use the position of a record that was read, or none"
                        .formatted(position.length() > 100 ? position.substring(0, 100) + "..." : position));
    }
}
