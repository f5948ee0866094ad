package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.store.Claim;
import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.Due;
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
final class Leases {

    private static final int USUAL = 1_000;

    /** A claim, and since when it could be had: the answer has no order of its own. */
    private record Found(Optional<Claim> claim, long dueAt, long now) {}

    private final Backend backend;
    private final EndpointRows rows;
    private final StoreClock clock;
    private final String now;
    private final String claim;
    private final String dueHosts;
    private final String nextDue;
    private final String renew;
    private final String release;

    Leases(Backend backend, EndpointRows rows, String now, StoreClock clock) {
        this.backend = backend;
        this.rows = rows;
        this.clock = clock;
        BatchSyntax batches = backend.dialect().batchSyntax();
        this.now = now;
        this.claim = claim(backend.dialect(), now, USUAL);
        this.dueHosts = dueHosts(backend.dialect(), now);
        this.nextDue = nextDue(backend.dialect(), now);
        String held =
                batches.tableExpression("r_id text", "r_token text") + " WHERE id = r_id AND lease_token = r_token";
        // Never shorter: somebody may have changed the timeout, and the call that goes on still has the old one.
        this.renew = "UPDATE endpoints SET lease_until = "
                + backend.dialect().greatest() + "(lease_until, " + now + " + timeout_millis * 1000 + ?) FROM " + held
                + " RETURNING id, lease_until";
        this.release = "UPDATE endpoints SET lease_token = '', lease_worker = '', lease_since = 0, lease_until = 0,"
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
                + " FROM placed WHERE id = due_id AND place <= ? RETURNING " + EndpointRows.COLUMNS;
    }

    static String dueHosts(Dialect dialect, String now) {
        return "WITH moment AS MATERIALIZED (SELECT " + now + " AS at_micros)"
                + " SELECT DISTINCT due_host FROM (SELECT host AS due_host FROM endpoints WHERE NOT archived"
                + " AND claimable_at <= (SELECT at_micros FROM moment) ORDER BY claimable_at LIMIT " + USUAL
                + ") AS oldest WHERE due_host IN (SELECT r_host FROM "
                + dialect.batchSyntax().tableExpression("r_host text") + ")";
    }

    static String nextDue(Dialect dialect, String now) {
        return "SELECT " + now + ", (SELECT claimable_at FROM endpoints WHERE NOT archived AND claimable_at < "
                + Times.NEVER + " AND host NOT IN (SELECT r_host FROM "
                + dialect.batchSyntax().tableExpression("r_host text") + ") ORDER BY claimable_at LIMIT 1)";
    }

    List<Claim> claim(Demand demand) {
        String busy = DocumentJson.write(demand.busy().entrySet().stream()
                .map(host -> Map.of("r_host", SearchKey.of(host.getKey()), "r_running", host.getValue()))
                .toList());
        String sql = demand.limit() <= USUAL ? claim : claim(backend.dialect(), now, demand.limit());
        Optional<List<Found>> found = backend.write(() -> "claim endpoints", session -> {
            long asked = clock.asking();
            List<Found> claimed = session.list(
                    sql,
                    row -> new Found(rows.claim(row), row.getLong("due_at"), row.getLong("lease_since")),
                    busy,
                    demand.perHost(),
                    demand.limit(),
                    demand.token(),
                    CleanText.of(demand.worker()),
                    Times.micros(demand.margin()),
                    demand.perHost());
            claimed.stream().findFirst().ifPresent(any -> clock.told(asked, any.now()));
            return claimed.isEmpty() ? Optional.empty() : Optional.of(claimed);
        });
        return found.orElse(List.of()).stream()
                .sorted(Comparator.comparing(Found::dueAt))
                .flatMap(each -> each.claim().stream())
                .toList();
    }

    Set<String> due(Set<String> hosts) {
        return Set.copyOf(backend.read(
                () -> "find hosts that something is due of",
                session -> session.list(dueHosts, row -> row.getString(1), batch(hosts))));
    }

    Due nextDue(Set<String> exceptHosts) {
        return backend.read(() -> "find what is due next", session -> {
            long asked = clock.asking();
            return session.first(nextDue, row -> due(row, asked), batch(exceptHosts))
                    .orElseThrow();
        });
    }

    private static String batch(Set<String> hosts) {
        return DocumentJson.write(
                hosts.stream().map(host -> Map.of("r_host", SearchKey.of(host))).toList());
    }

    private Due due(ResultSet row, long asked) throws SQLException {
        long told = row.getLong(1);
        long at = row.getLong(2);
        boolean nothing = row.wasNull();
        clock.told(asked, told);
        return new Due(Times.instant(told), nothing ? Optional.empty() : Optional.of(Times.instant(at)));
    }

    Map<String, Instant> renew(Collection<Claim> claims, Duration margin) {
        Map<String, Instant> ends = new HashMap<>();
        if (!claims.isEmpty()) {
            backend.write(
                            () -> "renew %d leases".formatted(claims.size()),
                            session -> Optional.of(session.list(
                                    renew,
                                    row -> Map.entry(row.getString(1), Times.instant(row.getLong(2))),
                                    Times.micros(margin),
                                    held(claims))))
                    .orElse(List.of())
                    .forEach(end -> ends.put(end.getKey(), end.getValue()));
        }
        return ends;
    }

    /** Returns whether any was still held. */
    boolean release(Collection<Claim> claims) {
        return !claims.isEmpty()
                && backend.write(
                                () -> "release %d leases".formatted(claims.size()),
                                session -> session.update(release, held(claims)) > 0
                                        ? Optional.of(true)
                                        : Optional.empty())
                        .isPresent();
    }

    /** In one order for all, so that two who write several do not wait for each other. */
    static String held(Collection<Claim> claims) {
        return DocumentJson.write(claims.stream()
                .sorted(Comparator.comparing(each -> each.endpoint().id()))
                .map(each -> Map.of(
                        "r_id", each.endpoint().id(), "r_token", each.lease().token()))
                .toList());
    }
}
