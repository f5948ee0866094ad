package dev.escapement.endpoints.store;

import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.EndpointStatusMapper;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.SearchKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Claims due remediations and records their results. */
final class SqlRemediations {

    /** How long a due remediation is reserved for the caller that claimed it. */
    private static final Duration CLAIM_DURATION = Duration.ofSeconds(30);

    private static final String CLEAR_DUE_SQL = "UPDATE endpoints SET"
            + " remedy_due = CASE WHEN remedy_due <= ? THEN 0 ELSE remedy_due END, version = version + 1 WHERE id = ?";

    private static final String RECORD_SQL = "UPDATE endpoints SET remedy = ?, remedy_run = ?, remedy_requested = ?,"
            + " remedy_due = CASE WHEN remedy_due <= ? THEN 0 ELSE remedy_due END, version = version + 1 WHERE id = ?"
            + " AND (remedy_run < ? OR (remedy_run = ? AND (? OR NOT remedy_requested)))";

    private final Backend backend;
    private final EndpointRowMapper rows;
    private final String claimDueSql;

    SqlRemediations(Backend backend, EndpointRowMapper rows, String nowSql) {
        this.backend = backend;
        this.rows = rows;
        this.claimDueSql = claimDueSql(backend.dialect(), nowSql);
    }

    static boolean isRequested(RemediationAttempt attempt) {
        return attempt.state() == RemediationAttempt.State.REQUESTED;
    }

    static String toJson(RemediationAttempt attempt) {
        return Json.write(EndpointStatusMapper.toDocument(attempt, Optional.empty()));
    }

    static String claimDueSql(Dialect dialect, String nowSql) {
        String moment = "(SELECT at_micros FROM moment)";
        return "WITH moment AS MATERIALIZED (SELECT " + nowSql + " AS at_micros), due AS MATERIALIZED"
                + " (SELECT id AS due_id FROM endpoints WHERE remedy_due > 0 AND NOT archived AND remedy_seen <= "
                + moment + " - " + TimeColumns.toMicros(CLAIM_DURATION) + " ORDER BY remedy_seen LIMIT ?"
                + dialect.skipLocked()
                + ") UPDATE endpoints SET remedy_seen = " + moment + " FROM due WHERE id = due_id RETURNING "
                + EndpointRowMapper.COLUMNS;
    }

    List<StoredEndpoint> claimDue(int limit) {
        return backend
                .write(() -> "claim due remediations", session -> {
                    List<Optional<StoredEndpoint>> found = session.list(claimDueSql, rows::tryReadStored, limit);
                    return found.isEmpty() ? Optional.empty() : Optional.of(found);
                })
                .orElse(List.of())
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    void recordAttempt(String endpointId, RemediationAttempt attempt) {
        String document = SafeText.storable(toJson(attempt));
        String id = SearchKey.of(endpointId);
        backend.write(() -> "record the remediation of endpoint " + endpointId, session -> {
            int written = session.update(
                    RECORD_SQL,
                    document,
                    attempt.runNumber(),
                    isRequested(attempt),
                    attempt.runNumber(),
                    id,
                    attempt.runNumber(),
                    attempt.runNumber(),
                    isRequested(attempt));
            // A better result is already recorded; clear only the due flag.
            return Optional.of(written > 0 ? written : session.update(CLEAR_DUE_SQL, attempt.runNumber(), id));
        });
    }
}
