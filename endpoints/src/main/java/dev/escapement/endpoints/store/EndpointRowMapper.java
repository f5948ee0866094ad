package dev.escapement.endpoints.store;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.api.endpoint.EndpointStatus.RemediationState;
import dev.escapement.common.Json;
import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointMapper;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.EndpointStatusMapper;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint.EndpointLease;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunHistory.LastRun;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
    static String selectByNamesSql(Dialect dialect) {
        return SELECT + " WHERE NOT archived AND name IN (SELECT r_name FROM " + NAMES.table(dialect) + ")";
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

    static String toJson(RemediationAttempt attempt) {
        return Json.write(EndpointStatusMapper.toDocument(attempt, Optional.empty()));
    }

    private static Optional<RemediationAttempt> readRemediation(String document) {
        return document.isEmpty()
                ? Optional.empty()
                : Optional.of(EndpointStatusMapper.readAttempt(Json.read(document, RemediationState.class)));
    }

    /** Returns the columns that a change by a user writes, the id first; all names are prefixed with {@code r_}. */
    static <T> BatchColumns<T> writableColumns(Function<T, ScheduledEndpoint> endpoint) {
        Function<T, EndpointDefinition> definition = endpoint.andThen(ScheduledEndpoint::definition);
        Function<T, EndpointOverrides> overrides = endpoint.andThen(ScheduledEndpoint::overrides);
        return new BatchColumns<T>()
                .with("r_id", "text", endpoint.andThen(ScheduledEndpoint::id))
                .with("r_name", "text", definition.andThen(it -> SearchKey.of(it.name())))
                .with(
                        "r_host",
                        "text",
                        definition.andThen(it ->
                                SearchKey.of(EndpointUrl.hostKeyOf(it.call().url()))))
                .with(
                        "r_timeout_millis",
                        "bigint",
                        definition.andThen(it -> it.call().timeout().toMillis()))
                .with("r_archived", "boolean", overrides.andThen(EndpointOverrides::archived))
                .with("r_paused_until", "bigint", overrides.andThen(EndpointRowMapper::pausedUntil))
                .with("r_document", "text", endpoint.andThen(EndpointRowMapper::document))
                .withPlan(endpoint.andThen(ScheduledEndpoint::history), endpoint.andThen(ScheduledEndpoint::nextRun));
    }

    private static long pausedUntil(EndpointOverrides overrides) {
        return overrides.pausedUntil().map(TimeColumns::fromSlot).orElse(0L);
    }

    private static String document(ScheduledEndpoint endpoint) {
        return Json.write(EndpointMapper.toStored(endpoint.definition(), endpoint.overrides()));
    }

    /** Caches parsed documents, so that an unchanged endpoint is not parsed for each of its runs. */
    static final class EndpointDocumentCache {

        record ParsedDocument(long revision, EndpointDefinition definition, EndpointOverrides overrides) {}

        private static final int MAX_ENTRIES = 20_000;

        /** Larger documents are not cached, which limits the cache to a few hundred megabytes. */
        private static final int MAX_DOCUMENT_LENGTH = 16_384;

        private final Map<String, ParsedDocument> entries = new ConcurrentHashMap<>();

        ParsedDocument get(String id, long revision, String document) {
            ParsedDocument cached = entries.get(id);
            if (cached != null && cached.revision() == revision) {
                return cached;
            }
            Endpoint stored = Json.read(document, Endpoint.class);
            ParsedDocument parsed = new ParsedDocument(
                    revision, EndpointMapper.readDefinition(stored), EndpointMapper.readOverrides(stored));
            if (document.length() <= MAX_DOCUMENT_LENGTH) {
                // Evicts any entry, not the oldest: endpoints are read in turn, so LRU would evict each just before its
                // use.
                Iterator<String> any = entries.keySet().iterator();
                if (entries.size() >= MAX_ENTRIES && any.hasNext()) {
                    entries.remove(any.next());
                }
                entries.put(id, parsed);
            }
            return parsed;
        }
    }
}
