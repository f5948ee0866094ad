package dev.escapement.endpoints.store.sql;

import dev.escapement.api.endpoint.EndpointStatus.RemediationState;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.EndpointLease;
import dev.escapement.endpoints.model.EndpointMapper;
import dev.escapement.endpoints.model.EndpointStatusMapper;
import dev.escapement.endpoints.model.HostKey;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.governor.plan.LastRun;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.storage.jdbc.BatchSyntax;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.problem.UnexpectedStorageException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps endpoints to and from rows of the table {@code endpoints}. */
final class EndpointRowMapper {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointRowMapper.class);

    static final String COLUMNS =
            "id, name, created_at, version, revision, archived, host, document, origin, failures, last_slot,"
                    + " last_ended, last_retry_after, number, next_at, plan_source, plan, lease_token, lease_worker,"
                    + " lease_since, lease_until, due_at, attempts, remedy";

    static final String SELECT = "SELECT " + COLUMNS + " FROM endpoints";

    static final BatchColumns<String> NAMES = new BatchColumns<String>().with("r_name", "text", SearchKey::of);

    private final EndpointDocumentCache cache = new EndpointDocumentCache();

    /** Returns the query of the active endpoints with the names of a batch of {@link #NAMES}. */
    static String selectByNamesSql(BatchSyntax syntax) {
        return SELECT + " WHERE NOT archived AND name IN (SELECT r_name FROM " + NAMES.table(syntax) + ")";
    }

    static Map<String, StoredEndpoint> byName(List<StoredEndpoint> endpoints) {
        return endpoints.stream()
                .collect(Collectors.toMap(each -> each.endpoint().definition().name(), Function.identity()));
    }

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
                : Optional.of(EndpointStatusMapper.readAttempt(Json.read(document, RemediationState.class)));
    }

    /** Returns the columns that a change by a user writes, the id first; all names are prefixed with {@code r_}. */
    static <T> BatchColumns<T> writableColumns(Function<T, ScheduledEndpoint> endpoint) {
        BatchColumns<T> columns = new BatchColumns<T>()
                .with("r_id", "text", endpoint.andThen(ScheduledEndpoint::id))
                .with(
                        "r_name",
                        "text",
                        endpoint.andThen(it -> SearchKey.of(it.definition().name())))
                .with(
                        "r_host",
                        "text",
                        endpoint.andThen(
                                it -> SearchKey.of(HostKey.of(it.definition().url()))))
                .with(
                        "r_timeout_millis",
                        "bigint",
                        endpoint.andThen(it -> it.definition().timeout().toMillis()))
                .with(
                        "r_archived",
                        "boolean",
                        endpoint.andThen(it -> it.overrides().archived()))
                .with(
                        "r_paused_until",
                        "bigint",
                        endpoint.andThen(it -> it.overrides()
                                .pausedUntil()
                                .map(TimeColumns::fromSlot)
                                .orElse(0L)))
                .with(
                        "r_document",
                        "text",
                        endpoint.andThen(it -> Json.write(EndpointMapper.toStored(it.definition(), it.overrides()))));
        return withPlan(
                columns, endpoint.andThen(ScheduledEndpoint::history), endpoint.andThen(ScheduledEndpoint::nextRun));
    }

    /** Adds the columns of the history and the next run. */
    static <T> BatchColumns<T> withPlan(
            BatchColumns<T> columns, Function<T, RunHistory> history, Function<T, PlannedRun> next) {
        Function<T, Optional<LastRun>> last = history.andThen(RunHistory::lastRun);
        return columns.with("r_origin", "bigint", history.andThen(it -> EpochMicros.of(it.origin())))
                .with("r_failures", "integer", history.andThen(RunHistory::failures))
                .with("r_last_slot", "bigint", last.andThen(run -> TimeColumns.toMicrosOrNone(run.map(LastRun::slot))))
                .with(
                        "r_last_ended",
                        "bigint",
                        last.andThen(run -> TimeColumns.toMicrosOrNone(run.map(LastRun::endedAt))))
                .with(
                        "r_last_retry_after",
                        "bigint",
                        last.andThen(run -> TimeColumns.fromDuration(run.flatMap(LastRun::retryAfter))))
                .with(
                        "r_next_at",
                        "bigint",
                        next.andThen(it -> it.at().map(TimeColumns::fromSlot).orElse(TimeColumns.NEVER)))
                .with("r_plan_source", "text", next.andThen(it -> SafeText.storable(it.source())))
                .with("r_plan", "text", next.andThen(it -> SafeText.storable(it.planJson())));
    }
}
