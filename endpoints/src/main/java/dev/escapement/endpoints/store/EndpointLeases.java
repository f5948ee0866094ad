package dev.escapement.endpoints.store;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.NextDue;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Backend.ChangeTopic;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.jdbc.SqlFunction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Claims endpoints, and renews and releases leases, by the clock of the database. */
final class EndpointLeases {

    private static final int DEFAULT_LIMIT = 1_000;

    /** A claim and its due time; the result of the statement is not ordered. */
    private record ClaimedRow(Optional<EndpointClaim> claim, long dueAt, long storeMicros) {}

    private static final BatchColumns<String> HOSTS = new BatchColumns<String>().with("r_host", "text", SearchKey::of);

    private static final BatchColumns<Map.Entry<String, Integer>> CALLS_BY_HOST = new BatchColumns<
                    Map.Entry<String, Integer>>()
            .with("r_host", "text", entry -> SearchKey.of(entry.getKey()))
            .with("r_running", "integer", Map.Entry::getValue);

    private static final BatchColumns<EndpointClaim> LEASES = new BatchColumns<EndpointClaim>()
            .with("r_id", "text", claim -> claim.endpoint().id())
            .with("r_token", "text", claim -> claim.lease().token());

    private final Backend backend;
    private final EndpointRowMapper rows;
    private final DatabaseClock clock;
    private final String nowSql;
    private final String claimSql;
    private final String dueHostsSql;
    private final String nextDueSql;
    private final String renewSql;
    private final String releaseSql;

    EndpointLeases(Backend backend, EndpointRowMapper rows, String nowSql, DatabaseClock clock) {
        this.backend = backend;
        this.rows = rows;
        this.clock = clock;
        Dialect dialect = backend.dialect();
        this.nowSql = nowSql;
        this.claimSql = claimSql(dialect, nowSql, DEFAULT_LIMIT);
        this.dueHostsSql = dueHostsSql(dialect, nowSql);
        this.nextDueSql = nextDueSql(dialect, nowSql);
        String held = LEASES.table(dialect) + " WHERE id = r_id AND lease_token = r_token";
        // Never shorter: the timeout may have been reduced, but a call in flight keeps the old one.
        this.renewSql = "UPDATE endpoints SET lease_until = " + dialect.greatest() + "(lease_until, " + nowSql
                + " + timeout_millis * 1000 + ?) FROM " + held + " RETURNING id, lease_until";
        this.releaseSql = "UPDATE endpoints SET lease_token = '', lease_worker = '', lease_since = 0, lease_until = 0,"
                + " version = version + 1 FROM " + held;
    }

    /**
     * Returns the statement that claims. It excludes full hosts before the limit, so that they do not hide others. It
     * locks rows up to the limit, and updates those that fit the limit of their host.
     *
     * @param maxLimit constant upper bound of the limit; without it PostgreSQL, which plans without parameter values,
     *     would expect a tenth of all endpoints
     */
    static String claimSql(Dialect dialect, String nowSql, int maxLimit) {
        String moment = "(SELECT at_micros FROM moment)";
        return "WITH moment AS MATERIALIZED (SELECT " + nowSql + " AS at_micros),"
                + " busy AS MATERIALIZED (SELECT r_host, r_running FROM "
                + CALLS_BY_HOST.table(dialect) + "),"
                + " due AS MATERIALIZED (SELECT due_id, due_host, due_since FROM"
                + " (SELECT id AS due_id, host AS due_host, claimable_at AS due_since FROM endpoints"
                + " WHERE NOT archived AND claimable_at <= " + moment
                + " AND host NOT IN (SELECT r_host FROM busy WHERE r_running >= ?) ORDER BY claimable_at LIMIT "
                + maxLimit + dialect.skipLocked() + ") AS oldest LIMIT ?),"
                + " placed AS (SELECT due_id, row_number() OVER (PARTITION BY due_host ORDER BY due_since, due_id)"
                + " + coalesce((SELECT r_running FROM busy WHERE r_host = due_host), 0) AS place FROM due)"
                + " UPDATE endpoints SET lease_token = ?, lease_worker = ?, lease_since = " + moment
                + ", lease_until = " + moment + " + timeout_millis * 1000 + ?, due_at = claimable_at,"
                + " attempts = attempts + 1, version = version + 1"
                + " FROM placed WHERE id = due_id AND place <= ? RETURNING " + EndpointRowMapper.COLUMNS;
    }

    static String dueHostsSql(Dialect dialect, String nowSql) {
        return "WITH moment AS MATERIALIZED (SELECT " + nowSql + " AS at_micros)"
                + " SELECT DISTINCT due_host FROM (SELECT host AS due_host FROM endpoints WHERE NOT archived"
                + " AND claimable_at <= (SELECT at_micros FROM moment) ORDER BY claimable_at LIMIT " + DEFAULT_LIMIT
                + ") AS oldest WHERE due_host IN (SELECT r_host FROM "
                + HOSTS.table(dialect) + ")";
    }

    static String nextDueSql(Dialect dialect, String nowSql) {
        return "SELECT " + nowSql + ", (SELECT claimable_at FROM endpoints WHERE NOT archived AND claimable_at < "
                + TimeColumns.NEVER + " AND host NOT IN (SELECT r_host FROM "
                + HOSTS.table(dialect) + ") ORDER BY claimable_at LIMIT 1)";
    }

    List<EndpointClaim> claim(ClaimRequest request) {
        String sql = request.limit() <= DEFAULT_LIMIT ? claimSql : claimSql(backend.dialect(), nowSql, request.limit());
        Optional<List<ClaimedRow>> found = backend.write(() -> "claim endpoints", session -> {
            long startNanos = clock.startRequest();
            List<ClaimedRow> claimed = session.list(
                    sql,
                    row -> new ClaimedRow(rows.tryReadClaim(row), row.getLong("due_at"), row.getLong("lease_since")),
                    CALLS_BY_HOST.toJson(request.callsByHost().entrySet()),
                    request.concurrencyPerHost(),
                    request.limit(),
                    request.leaseToken(),
                    SafeText.storable(request.workerName()),
                    TimeColumns.toMicros(request.leaseMargin()),
                    request.concurrencyPerHost());
            claimed.stream().findFirst().ifPresent(any -> clock.update(startNanos, any.storeMicros()));
            return claimed.isEmpty() ? Optional.empty() : Optional.of(claimed);
        });
        return found.orElse(List.of()).stream()
                .sorted(Comparator.comparing(ClaimedRow::dueAt))
                .flatMap(each -> each.claim().stream())
                .toList();
    }

    Set<String> dueHosts(Set<String> hosts) {
        return Set.copyOf(backend.read(
                () -> "find hosts with due endpoints",
                session -> session.list(dueHostsSql, row -> row.getString(1), HOSTS.toJson(hosts))));
    }

    NextDue nextDue(Set<String> exceptHosts) {
        return backend.read(() -> "find the next due endpoint", session -> {
            long startNanos = clock.startRequest();
            return session.first(nextDueSql, row -> readNextDue(row, startNanos), HOSTS.toJson(exceptHosts))
                    .orElseThrow();
        });
    }

    private NextDue readNextDue(ResultSet row, long startNanos) throws SQLException {
        long storeMicros = row.getLong(1);
        long dueMicros = row.getLong(2);
        boolean nothingDue = row.wasNull();
        clock.update(startNanos, storeMicros);
        return new NextDue(
                TimeColumns.toInstant(storeMicros),
                nothingDue ? Optional.empty() : Optional.of(TimeColumns.toInstant(dueMicros)));
    }

    Map<String, Instant> renew(Collection<EndpointClaim> claims, Duration margin) {
        if (claims.isEmpty()) {
            return Map.of();
        }
        SqlFunction<ResultSet, Map.Entry<String, Instant>> idAndExpiry =
                row -> Map.entry(row.getString(1), TimeColumns.toInstant(row.getLong(2)));
        long marginMicros = TimeColumns.toMicros(margin);
        return backend
                .write(
                        () -> "renew %d leases".formatted(claims.size()),
                        session -> Optional.of(session.list(renewSql, idAndExpiry, marginMicros, leaseBatch(claims))))
                .orElseThrow()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    void release(Collection<EndpointClaim> claims) {
        if (!claims.isEmpty()) {
            String what = "release %d leases".formatted(claims.size());
            backend.write(
                            () -> what,
                            session -> Optional.of(session.update(releaseSql, leaseBatch(claims)))
                                    .filter(released -> released > 0))
                    .ifPresent(released -> backend.publish(ChangeTopic.ENDPOINTS));
        }
    }

    /** Sorted, so that concurrent statements lock rows in the same order and do not deadlock. */
    private static String leaseBatch(Collection<EndpointClaim> claims) {
        return LEASES.toJson(claims.stream()
                .sorted(Comparator.comparing(each -> each.endpoint().id()))
                .toList());
    }
}
