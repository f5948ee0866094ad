package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.Remedy;
import dev.escapement.endpoints.RemedyDocument;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.DocumentJson;
import dev.escapement.storage.jdbc.SearchKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Remediations that are due, and what became of them. */
final class Remedies {

    /** For so long one who was told of a due remediation has it for itself. */
    private static final Duration LOOKED_AT = Duration.ofSeconds(30);

    private static final String SETTLE = "UPDATE endpoints SET"
            + " remedy_due = CASE WHEN remedy_due <= ? THEN 0 ELSE remedy_due END, version = version + 1 WHERE id = ?";

    private static final String WRITE = "UPDATE endpoints SET remedy = ?, remedy_run = ?, remedy_requested = ?,"
            + " remedy_due = CASE WHEN remedy_due <= ? THEN 0 ELSE remedy_due END, version = version + 1 WHERE id = ?"
            + " AND (remedy_run < ? OR (remedy_run = ? AND (? OR NOT remedy_requested)))";

    private final Backend backend;
    private final EndpointRows rows;
    private final String due;

    Remedies(Backend backend, EndpointRows rows, String now) {
        this.backend = backend;
        this.rows = rows;
        this.due = due(backend.dialect(), now);
    }

    static boolean isRequested(Remedy remedy) {
        return remedy.state() == Remedy.State.REQUESTED;
    }

    static String due(Dialect dialect, String now) {
        String moment = "(SELECT at_micros FROM moment)";
        return "WITH moment AS MATERIALIZED (SELECT " + now + " AS at_micros), due AS MATERIALIZED"
                + " (SELECT id AS due_id FROM endpoints WHERE remedy_due > 0 AND NOT archived AND remedy_seen <= "
                + moment + " - " + Times.micros(LOOKED_AT) + " ORDER BY remedy_seen LIMIT ?" + dialect.skipLocked()
                + ") UPDATE endpoints SET remedy_seen = " + moment + " FROM due WHERE id = due_id RETURNING "
                + EndpointRows.COLUMNS;
    }

    List<Stored> due(int limit) {
        return backend
                .write(() -> "find remediations that are due", session -> {
                    List<Optional<Stored>> found = session.list(due, rows::readable, limit);
                    return found.isEmpty() ? Optional.empty() : Optional.of(found);
                })
                .orElse(List.of())
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    void settle(String endpoint, Remedy remedy) {
        String document = CleanText.of(DocumentJson.write(RemedyDocument.write(remedy)));
        String id = SearchKey.of(endpoint);
        backend.write(() -> "write the remedy of endpoint " + endpoint, session -> {
            int written = session.update(
                    WRITE,
                    document,
                    remedy.run(),
                    isRequested(remedy),
                    remedy.run(),
                    id,
                    remedy.run(),
                    remedy.run(),
                    isRequested(remedy));
            // What stands is better; that this one is no longer due is news all the same.
            return Optional.of(written > 0 ? written : session.update(SETTLE, remedy.run(), id));
        });
    }
}
