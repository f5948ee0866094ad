package dev.escapement.notifications.store;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.PageToken;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.DeliveryStatus;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SearchKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Claims notifications that are due and records their delivery, by the clock of the database, so that the clocks of
 * servers may differ. Lists them for people. Thread-safe.
 */
public final class NotificationStore implements NotificationQueries {

    /** Selects notifications; an empty component matches all. */
    public record NotificationFilter(Optional<String> phase, Optional<String> severity, Optional<String> target) {
        public static final NotificationFilter ALL =
                new NotificationFilter(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** A notification in a list, with the key of its place. */
    private record ListedNotification(long createdAt, String name, NotificationRequest request) {}

    private final Backend backend;
    private final String nowSql;
    private final String claimedSql;

    public NotificationStore(Backend backend) {
        this(backend, backend.dialect().nowMicros());
    }

    /** @param nowSql expression for the time in microseconds; tests use another than the clock of the database */
    NotificationStore(Backend backend, String nowSql) {
        this.backend = backend;
        this.nowSql = nowSql;
        this.claimedSql = "SELECT document, " + nowSql
                + " FROM notifications WHERE name = ? AND lease_token = ? AND finished_at = 0"
                + backend.dialect().forUpdate();
    }

    /**
     * Claims notifications that are due: critical ones first, then the longest due.
     *
     * <p>One whose lease has expired is not claimed: nobody knows what became of the attempt. It counts as failed, so
     * that the number of attempts is limited whatever crashes, and the next one follows by the retry policy.
     *
     * @param token of the leases, not used before
     * @param lease how long no other worker may claim them
     * @param busyChannels notifications for one of these are left alone
     */
    public List<ClaimedNotification> claim(int limit, String token, Duration lease, Set<String> busyChannels) {
        // The expressions after SET see the row as it was before.
        String sql = "WITH due AS MATERIALIZED (SELECT name AS due_name FROM notifications WHERE finished_at = 0"
                + " AND claimable_at <= " + nowSql + notBusy(busyChannels)
                + " ORDER BY CASE severity WHEN 'critical' THEN 0 ELSE 1 END, claimable_at LIMIT ?"
                + backend.dialect().skipLocked() + ") UPDATE notifications SET phase = '" + DeliveryPhase.Sending
                + "', lease_token = CASE phase WHEN '" + DeliveryPhase.Sending + "' THEN '' ELSE ? END, lease_until = "
                + nowSql + " + ? WHERE name IN (SELECT due_name FROM due) RETURNING document, lease_token, " + nowSql;
        List<Object> parameters = new ArrayList<>(busyChannelParameters(busyChannels));
        parameters.addAll(List.of(limit, token, lease.toNanos() / 1_000));
        return backend
                .write(() -> "claim notifications", session -> {
                    List<ClaimedDelivery> rows = session.list(
                            sql,
                            row -> new ClaimedDelivery(
                                    new StoredDelivery(
                                            NotificationRows.read(row.getString(1)),
                                            NotificationRows.toInstant(row.getLong(3))),
                                    row.getString(2)),
                            parameters.toArray());
                    for (ClaimedDelivery row : rows) {
                        if (row.token().isEmpty()) {
                            StoredDelivery lost = row.delivery();
                            NotificationRows.update(session, lost.request(), lost.record(Map.of()));
                        }
                    }
                    return rows.isEmpty() ? Optional.empty() : Optional.of(rows);
                })
                .orElse(List.of())
                .stream()
                .filter(row -> !row.token().isEmpty())
                .map(row -> new ClaimedNotification(row.delivery().request(), token))
                .toList();
    }

    /** @param token empty if the lease before has expired without a result */
    private record ClaimedDelivery(StoredDelivery delivery, String token) {}

    private static String notBusy(Set<String> busyChannels) {
        return " AND replace(channels, ?, '') = channels".repeat(busyChannels.size());
    }

    private static List<String> busyChannelParameters(Set<String> busyChannels) {
        return busyChannels.stream().map(NotificationRows::betweenCommas).toList();
    }

    /**
     * Records an attempt and releases the lease. The time of the next attempt is computed here, once.
     *
     * @param results by channel
     * @return the new status; empty if the lease was lost, then nothing is changed
     */
    public Optional<DeliveryStatus> record(ClaimedNotification claim, Map<String, DeliveryResult> results) {
        String name = NotificationDocuments.name(claim.request());
        return backend.write(() -> "record the delivery of notification " + name, session -> {
            Optional<StoredDelivery> stored = session.first(
                    claimedSql,
                    row -> new StoredDelivery(
                            NotificationRows.read(row.getString(1)), NotificationRows.toInstant(row.getLong(2))),
                    name,
                    claim.token());
            if (stored.isEmpty()) {
                return Optional.empty();
            }
            DeliveryStatus next = stored.get().record(results);
            NotificationRows.update(session, stored.get().request(), next);
            return Optional.of(next);
        });
    }

    private record StoredDelivery(NotificationRequest request, Instant now) {

        DeliveryStatus record(Map<String, DeliveryResult> results) {
            return NotificationDocuments.status(request)
                    .record(
                            NotificationDocuments.name(request),
                            NotificationDocuments.spec(request).channels(),
                            NotificationDocuments.retryPolicy(request),
                            results,
                            now);
        }
    }

    /**
     * Returns how long it takes until the next notification is due; zero if one is, empty if there is none.
     *
     * @param busyChannels notifications for one of these are left alone
     */
    public Optional<Duration> untilNextDue(Set<String> busyChannels) {
        String sql = "SELECT " + nowSql + ", (SELECT claimable_at FROM notifications WHERE finished_at = 0"
                + notBusy(busyChannels) + " ORDER BY claimable_at LIMIT 1)";
        return backend.read(
                        () -> "find the next notification",
                        session -> session.first(
                                sql,
                                row -> {
                                    long now = row.getLong(1);
                                    long due = row.getLong(2);
                                    return row.wasNull() ? -1L : Math.max(0, due - now);
                                },
                                busyChannelParameters(busyChannels).toArray()))
                .filter(micros -> micros >= 0)
                .map(micros -> Duration.of(micros, ChronoUnit.MICROS));
    }

    @Override
    public Optional<NotificationRequest> find(String name) {
        return backend.read(
                () -> "find notification " + name,
                session -> session.first(
                        "SELECT document, phase FROM notifications WHERE name = ?",
                        NotificationRows::read,
                        SearchKey.of(name)));
    }

    @Override
    public Page<NotificationRequest> list(NotificationFilter filter, String token, int limit) {
        StringBuilder sql = new StringBuilder("SELECT created_at, name, document, phase FROM notifications WHERE TRUE");
        List<Object> parameters = new ArrayList<>();
        addCondition(sql, parameters, "phase", filter.phase());
        addCondition(sql, parameters, "severity", filter.severity());
        addCondition(sql, parameters, "target", filter.target().map(SearchKey::of));
        if (!token.isEmpty()) {
            List<String> key = PageToken.decode(token, 2);
            sql.append(" AND (created_at, name) < (?, ?)");
            parameters.add(PageToken.parseNumber(key.get(0)));
            parameters.add(key.get(1));
        }
        sql.append(" ORDER BY created_at DESC, name DESC LIMIT ?");
        parameters.add(PageToken.queryLimit(limit));
        List<ListedNotification> found = backend.read(
                () -> "list notifications",
                session -> session.list(
                        sql.toString(),
                        row -> new ListedNotification(row.getLong(1), row.getString(2), NotificationRows.read(row)),
                        parameters.toArray()));
        Page<ListedNotification> page =
                PageToken.toPage(found, limit, last -> PageToken.encode(Long.toString(last.createdAt()), last.name()));
        return new Page<>(page.items().stream().map(ListedNotification::request).toList(), page.nextToken());
    }

    private static void addCondition(
            StringBuilder sql, List<Object> parameters, String column, Optional<String> value) {
        value.ifPresent(given -> {
            sql.append(" AND ").append(column).append(" = ?");
            parameters.add(given);
        });
    }

    /** Returns how many notifications are not in a terminal phase. */
    public long countUnfinished() {
        return backend.read(
                () -> "count notifications",
                session -> session.first(
                                "SELECT count(*) FROM notifications WHERE finished_at = 0", row -> row.getLong(1))
                        .orElseThrow());
    }

    /** Removes notifications that finished, and windows that ended, longer ago than this; returns how many rows. */
    public int removeFinished(Duration age, int limit) {
        return backend.write(() -> "remove old notifications", session -> {
                    long now = session.first("SELECT " + nowSql, row -> row.getLong(1))
                            .orElseThrow();
                    long before = now - age.toNanos() / 1_000;
                    int removed = session.update(
                            "DELETE FROM notifications WHERE name IN (SELECT name FROM notifications"
                                    + " WHERE finished_at > 0 AND finished_at < ? ORDER BY finished_at LIMIT ?)",
                            before,
                            limit);
                    removed += session.update(
                            "DELETE FROM notification_windows WHERE group_id IN (SELECT group_id FROM"
                                    + " notification_windows WHERE window_end < ? ORDER BY window_end LIMIT ?)",
                            before,
                            limit);
                    return Optional.of(removed);
                })
                .orElse(0);
    }

    /** Returns the time of the database. */
    public Instant now() {
        return backend.read(
                () -> "read the time",
                session -> session.first("SELECT " + nowSql, row -> NotificationRows.toInstant(row.getLong(1)))
                        .orElseThrow());
    }
}
