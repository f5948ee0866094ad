package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.store.ClaimRequest;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.endpoints.store.NextDue;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.BatchSyntax;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.DocumentJson;
import dev.escapement.storage.jdbc.SearchKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who may run what, and until when. By the clock of the database alone. */
final class EndpointLeases {

    private static final int DEFAULT_LIMIT = 1_000;

    /** A claim, and since when it could be had: the answer has no order of its own. */
    private record ClaimedRow(Optional<EndpointClaim> claim, long dueAt, long storeMicros) {}

    private final Backend backend;
    private final EndpointRowMapper rows;
    private final DatabaseClock clock;
    private final String nowSql;
    private final String claimSql;
    private final String dueHostsSql;
    private final String nextDueSql;
    private final String renewSql;
    private final String releaseSql;

    EndpointLeases(Backend backend, EndpointRowMapper rows, String now, DatabaseClock clock) {
        this.backend = backend;
        this.rows = rows;
        this.clock = clock;
        BatchSyntax batches = backend.dialect().batchSyntax();
        this.nowSql = now;
        this.claimSql = claim(backend.dialect(), now, DEFAULT_LIMIT);
        this.dueHostsSql = dueHostsSql(backend.dialect(), now);
        this.nextDueSql = nextDue(backend.dialect(), now);
        String held =
                batches.tableExpression("r_id text", "r_token text") + " WHERE id = r_id AND lease_token = r_token";
        // Never shorter: somebody may have changed the timeout, and the call that goes on still has the old one.
        this.renewSql = "UPDATE endpoints SET lease_until = "
                + backend.dialect().greatest() + "(lease_until, " + now + " + timeout_millis * 1000 + ?) FROM " + held
                + " RETURNING id, lease_until";
        this.releaseSql = "UPDATE endpoints SET lease_token = '', lease_worker = '', lease_since = 0, lease_until = 0,"
                + " version = version + 1 FROM " + held;
    }

    /**
     * One statement. Hosts without room are left out before the limit, or they would hide the others. Of the rows that
     * it locks, those for which there is no room at their host stay as they are.
     *
     * @param most an upper bound of the limit. PostgreSQL plans without knowing parameters, and would expect a tenth of
     *     all endpoints; rows are locked one by one, so that no more are locked than the limit itself says
     */
    static String claim(Dialect dialect, String now, int most) {
        String moment = "(SELECT at_micros FROM moment)";
        return "WITH moment AS MATERIALIZED (SELECT " + now + " AS at_micros),"
                + " busy AS MATERIALIZED (SELECT r_host, r_running FROM "
                + dialect.batchSyntax().tableExpression("r_host text", "r_running integer") + "),"
                + " due AS MATERIALIZED (SELECT due_id, due_host, due_since FROM"
                + " (SELECT id AS due_id, host AS due_host, claimable_at AS due_since FROM endpoints"
                + " WHERE NOT archived AND claimable_at <= " + moment
                + " AND host NOT IN (SELECT r_host FROM busy WHERE r_running >= ?) ORDER BY claimable_at LIMIT "
                + most + dialect.skipLocked() + ") AS oldest LIMIT ?),"
                + " placed AS (SELECT due_id, row_number() OVER (PARTITION BY due_host ORDER BY due_since, due_id)"
                + " + coalesce((SELECT r_running FROM busy WHERE r_host = due_host), 0) AS place FROM due)"
                + " UPDATE endpoints SET lease_token = ?, lease_worker = ?, lease_since = " + moment
                + ", lease_until = " + moment + " + timeout_millis * 1000 + ?, due_at = claimable_at,"
                + " attempts = attempts + 1, version = version + 1"
                + " FROM placed WHERE id = due_id AND place <= ? RETURNING " + EndpointRowMapper.COLUMNS;
    }

    static String dueHostsSql(Dialect dialect, String now) {
        return "WITH moment AS MATERIALIZED (SELECT " + now + " AS at_micros)"
                + " SELECT DISTINCT due_host FROM (SELECT host AS due_host FROM endpoints WHERE NOT archived"
                + " AND claimable_at <= (SELECT at_micros FROM moment) ORDER BY claimable_at LIMIT " + DEFAULT_LIMIT
                + ") AS oldest WHERE due_host IN (SELECT r_host FROM "
                + dialect.batchSyntax().tableExpression("r_host text") + ")";
    }

    static String nextDue(Dialect dialect, String now) {
        return "SELECT " + now + ", (SELECT claimable_at FROM endpoints WHERE NOT archived AND claimable_at < "
                + TimeColumns.NEVER + " AND host NOT IN (SELECT r_host FROM "
                + dialect.batchSyntax().tableExpression("r_host text") + ") ORDER BY claimable_at LIMIT 1)";
    }

    List<EndpointClaim> claim(ClaimRequest demand) {
        String busy = DocumentJson.write(demand.callsByHost().entrySet().stream()
                .map(host -> Map.of("r_host", SearchKey.of(host.getKey()), "r_running", host.getValue()))
                .toList());
        String sql = demand.limit() <= DEFAULT_LIMIT ? claimSql : claim(backend.dialect(), nowSql, demand.limit());
        Optional<List<ClaimedRow>> found = backend.write(() -> "claim endpoints", session -> {
            long asked = clock.startRequest();
            List<ClaimedRow> claimed = session.list(
                    sql,
                    row -> new ClaimedRow(rows.tryReadClaim(row), row.getLong("due_at"), row.getLong("lease_since")),
                    busy,
                    demand.concurrencyPerHost(),
                    demand.limit(),
                    demand.leaseToken(),
                    SqlTextSanitizer.sanitize(demand.workerName()),
                    TimeColumns.toMicros(demand.leaseMargin()),
                    demand.concurrencyPerHost());
            claimed.stream().findFirst().ifPresent(any -> clock.update(asked, any.storeMicros()));
            return claimed.isEmpty() ? Optional.empty() : Optional.of(claimed);
        });
        return found.orElse(List.of()).stream()
                .sorted(Comparator.comparing(ClaimedRow::dueAt))
                .flatMap(each -> each.claim().stream())
                .toList();
    }

    Set<String> due(Set<String> hosts) {
        return Set.copyOf(backend.read(
                () -> "find hosts that something is due of",
                session -> session.list(dueHostsSql, row -> row.getString(1), hostBatch(hosts))));
    }

    NextDue nextDue(Set<String> exceptHosts) {
        return backend.read(() -> "find what is due next", session -> {
            long asked = clock.startRequest();
            return session.first(nextDueSql, row -> due(row, asked), hostBatch(exceptHosts))
                    .orElseThrow();
        });
    }

    private static String hostBatch(Set<String> hosts) {
        return DocumentJson.write(
                hosts.stream().map(host -> Map.of("r_host", SearchKey.of(host))).toList());
    }

    private NextDue due(ResultSet row, long asked) throws SQLException {
        long told = row.getLong(1);
        long at = row.getLong(2);
        boolean nothing = row.wasNull();
        clock.update(asked, told);
        return new NextDue(
                TimeColumns.toInstant(told), nothing ? Optional.empty() : Optional.of(TimeColumns.toInstant(at)));
    }

    Map<String, Instant> renew(Collection<EndpointClaim> claims, Duration margin) {
        Map<String, Instant> ends = new HashMap<>();
        if (!claims.isEmpty()) {
            backend.write(
                            () -> "renew %d leases".formatted(claims.size()),
                            session -> Optional.of(session.list(
                                    renewSql,
                                    row -> Map.entry(row.getString(1), TimeColumns.toInstant(row.getLong(2))),
                                    TimeColumns.toMicros(margin),
                                    leaseBatch(claims))))
                    .orElse(List.of())
                    .forEach(end -> ends.put(end.getKey(), end.getValue()));
        }
        return ends;
    }

    /** Returns whether any was still held. */
    boolean release(Collection<EndpointClaim> claims) {
        return !claims.isEmpty()
                && backend.write(
                                () -> "release %d leases".formatted(claims.size()),
                                session -> session.update(releaseSql, leaseBatch(claims)) > 0
                                        ? Optional.of(true)
                                        : Optional.empty())
                        .isPresent();
    }

    /** In one order for all, so that two who write several do not wait for each other. */
    static String leaseBatch(Collection<EndpointClaim> claims) {
        return DocumentJson.write(claims.stream()
                .sorted(Comparator.comparing(each -> each.endpoint().id()))
                .map(each -> Map.of(
                        "r_id", each.endpoint().id(), "r_token", each.lease().token()))
                .toList());
    }
}
