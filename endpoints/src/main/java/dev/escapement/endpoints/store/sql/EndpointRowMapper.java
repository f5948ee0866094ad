package dev.escapement.endpoints.store.sql;

import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.EndpointLease;
import dev.escapement.endpoints.model.HostKey;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationAttemptCodec;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.model.StoredEndpointCodec;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.governor.plan.LastRun;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.problem.UnexpectedStorageException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps endpoints to and from rows of the table {@code endpoints}. */
final class EndpointRowMapper {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointRowMapper.class);

    static final String COLUMNS =
            "id, name, created_at, version, revision, archived, host, document, origin, failures, last_slot,"
                    + " last_ended, last_retry_after, number, next_at, plan_source, plan, lease_token, lease_worker,"
                    + " lease_since, lease_until, due_at, attempts, remedy";

    /** Columns that a change by a user writes, as columns of a batch: prefixed with {@code r_}. */
    static final String[] WRITABLE_COLUMNS = {
        "r_id text",
        "r_name text",
        "r_host text",
        "r_timeout_millis bigint",
        "r_archived boolean",
        "r_paused_until bigint",
        "r_document text",
        "r_origin bigint",
        "r_failures integer",
        "r_last_slot bigint",
        "r_last_ended bigint",
        "r_last_retry_after bigint",
        "r_next_at bigint",
        "r_plan_source text",
        "r_plan text"
    };

    private final EndpointDocumentCache cache = new EndpointDocumentCache();

    /** @throws UnexpectedStorageException naming the endpoint if its document cannot be parsed */
    StoredEndpoint readStored(ResultSet row) throws SQLException {
        try {
            return readRow(row);
        } catch (IllegalArgumentException | DateTimeException | UncheckedIOException unreadable) {
            throw new UnexpectedStorageException(
                    ("endpoint %s (id %s) cannot be read: it was stored by a newer version or by a Java with more time"
                                    + " zones, or is damaged; nothing was changed")
                            .formatted(row.getString("name"), row.getString("id")),
                    unreadable);
        }
    }

    /** Returns empty for an unreadable endpoint, so that it does not hide others. */
    Optional<StoredEndpoint> tryReadStored(ResultSet row) throws SQLException {
        try {
            return Optional.of(readStored(row));
        } catch (UnexpectedStorageException unreadable) {
            LOG.warn("Endpoint is skipped: {}", unreadable.getMessage(), unreadable);
            return Optional.empty();
        }
    }

    private StoredEndpoint readRow(ResultSet row) throws SQLException {
        return new StoredEndpoint(
                readEndpoint(row),
                row.getLong("version"),
                row.getLong("revision"),
                row.getInt("attempts"),
                row.getString("lease_token").isEmpty() ? Optional.empty() : Optional.of(readLease(row)));
    }

    /** Returns empty for an unreadable endpoint; it keeps its lease, so it is retried only after that has expired. */
    Optional<EndpointClaim> tryReadClaim(ResultSet row) throws SQLException {
        try {
            return Optional.of(new EndpointClaim(
                    readEndpoint(row), row.getLong("revision"), row.getString("host"), readLease(row)));
        } catch (IllegalArgumentException | DateTimeException | UncheckedIOException unreadable) {
            LOG.warn("Endpoint {} cannot be run because its document is unreadable", row.getString("id"), unreadable);
            return Optional.empty();
        }
    }

    private ScheduledEndpoint readEndpoint(ResultSet row) throws SQLException {
        String id = row.getString("id");
        EndpointDocumentCache.ParsedDocument parsed = cache.get(id, row.getLong("revision"), row.getString("document"));
        return new ScheduledEndpoint(
                id,
                TimeColumns.toInstant(row.getLong("created_at")),
                parsed.definition(),
                row.getBoolean("archived") ? parsed.overrides().archive() : parsed.overrides(),
                readHistory(row),
                row.getLong("number"),
                new PlannedRun(
                        TimeColumns.toSlot(row.getLong("next_at")),
                        row.getString("plan_source"),
                        row.getString("plan")),
                readRemediation(row.getString("remedy")));
    }

    private static RunHistory readHistory(ResultSet row) throws SQLException {
        long ended = row.getLong("last_ended");
        return new RunHistory(
                TimeColumns.toInstant(row.getLong("origin")),
                row.getInt("failures"),
                ended == TimeColumns.NONE
                        ? Optional.empty()
                        : Optional.of(new LastRun(
                                TimeColumns.toInstant(row.getLong("last_slot")),
                                TimeColumns.toInstant(ended),
                                TimeColumns.toDuration(row.getLong("last_retry_after")))));
    }

    private static EndpointLease readLease(ResultSet row) throws SQLException {
        return new EndpointLease(
                row.getString("lease_worker"),
                row.getString("lease_token"),
                TimeColumns.toInstant(row.getLong("lease_since")),
                TimeColumns.toInstant(row.getLong("lease_until")),
                row.getInt("attempts"));
    }

    private static Optional<RemediationAttempt> readRemediation(String document) {
        return document.isEmpty()
                ? Optional.empty()
                : Optional.of(RemediationAttemptCodec.read(Json.readMap(document)));
    }

    /** Returns the {@link #WRITABLE_COLUMNS} as a row of a batch. */
    static Map<String, Object> toRow(ScheduledEndpoint endpoint) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r_id", endpoint.id());
        row.put("r_name", SearchKey.of(endpoint.definition().name()));
        row.put("r_host", hostKey(endpoint));
        row.put("r_timeout_millis", endpoint.definition().timeout().toMillis());
        row.put("r_archived", endpoint.overrides().archived());
        row.put(
                "r_paused_until",
                endpoint.overrides()
                        .pausedUntil()
                        .map(until -> TimeColumns.fromSlot(Optional.of(until)))
                        .orElse(0L));
        row.put("r_document", Json.write(StoredEndpointCodec.write(endpoint.definition(), endpoint.overrides())));
        putPlan(row, endpoint.history(), endpoint.nextRun());
        return row;
    }

    static String hostKey(ScheduledEndpoint endpoint) {
        return SearchKey.of(HostKey.of(endpoint.definition().url()));
    }

    static void putPlan(Map<String, Object> row, RunHistory history, PlannedRun next) {
        row.put("r_origin", EpochMicros.of(history.origin()));
        row.put("r_failures", history.failures());
        row.put(
                "r_last_slot",
                history.lastRun().map(LastRun::slot).map(EpochMicros::of).orElse(TimeColumns.NONE));
        row.put(
                "r_last_ended",
                history.lastRun().map(LastRun::endedAt).map(EpochMicros::of).orElse(TimeColumns.NONE));
        row.put(
                "r_last_retry_after",
                TimeColumns.toMicrosOrNone(history.lastRun().flatMap(LastRun::retryAfter)));
        row.put("r_next_at", TimeColumns.fromSlot(next.at()));
        row.put("r_plan_source", SafeText.storable(next.source()));
        row.put("r_plan", SafeText.storable(next.planJson()));
    }
}
