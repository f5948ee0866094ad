package dev.escapement.notifications.store;

import dev.escapement.common.Json;
import dev.escapement.engine.journal.Transition;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.folding.FoldState;
import dev.escapement.notifications.folding.NotificationPlanner;
import dev.escapement.notifications.folding.NotificationPlanner.Plan;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Creates notifications from the journal. The position in the journal advances in the same transaction, by
 * compare-and-set, so that a crash or a second server creates nothing twice and loses nothing. Thread-safe.
 */
public final class NotificationOutbox {

    private static final String POSITION_SQL = "SELECT position FROM notification_position WHERE id = 1";
    private static final String INIT_POSITION_SQL =
            "INSERT INTO notification_position (id, position) VALUES (1, ?) ON CONFLICT (id) DO NOTHING";
    private static final String ADVANCE_SQL =
            "UPDATE notification_position SET position = ? WHERE id = 1 AND position = ?";
    private static final String STORE_WINDOW_SQL =
            "INSERT INTO notification_windows (group_id, window_end, document) VALUES (?, ?, ?)"
                    + " ON CONFLICT (group_id) DO UPDATE SET window_end = excluded.window_end,"
                    + " document = excluded.document";

    private final Backend backend;
    private final Supplier<NotificationPlanner> planner;
    private final String windowsSql;
    private final String phaseSql;

    public NotificationOutbox(Backend backend, NotificationPlanner planner) {
        this(backend, () -> planner);
    }

    /** @param planner asked once for each call, so that other routes take effect at once */
    public NotificationOutbox(Backend backend, Supplier<NotificationPlanner> planner) {
        this.backend = backend;
        this.planner = planner;
        this.windowsSql = "SELECT document FROM notification_windows WHERE group_id IN (SELECT r_id FROM "
                + backend.dialect().batchTable().apply(List.of("r_id text")) + ")";
        // Locked, so that no worker begins to send a summary that is being updated.
        this.phaseSql = "SELECT phase FROM notifications WHERE name = ?"
                + backend.dialect().forUpdate();
    }

    /**
     * What a call of {@link #create} did.
     *
     * @param created new notifications, summaries not included
     * @param folded transitions that were counted in a summary
     */
    public record Creation(int created, int folded) {}

    /** Returns whether a transition makes or changes a notification. Others need no call of {@link #create}. */
    public boolean isNotable(Transition transition) {
        return planner.get().isNotable(transition);
    }

    /**
     * Returns the position up to which notifications were created.
     *
     * @param initial the position to begin at if there is none yet
     */
    public String position(String initial) {
        return backend.write(() -> "read the position of notifications", session -> {
                    Optional<String> stored = session.first(POSITION_SQL, row -> row.getString(1));
                    if (stored.isEmpty()) {
                        session.update(INIT_POSITION_SQL, initial);
                        return session.first(POSITION_SQL, row -> row.getString(1));
                    }
                    return stored;
                })
                .orElse(initial);
    }

    /**
     * Creates the notifications of transitions and advances the position, all or nothing.
     *
     * @param transitions all notable ones after {@code expected} up to {@code next}, in the order of the journal
     * @return empty if another server has advanced the position; nothing was changed then
     */
    public Optional<Creation> create(String expected, String next, List<Transition> transitions) {
        return backend.write(() -> "create notifications", session -> {
            // First: this row serialises the servers, so the windows below cannot change any more.
            if (session.update(ADVANCE_SQL, next, expected) == 0) {
                return Optional.empty();
            }
            NotificationPlanner current = planner.get();
            Map<String, FoldState> windows = readWindows(session, current.groupIds(transitions));
            Plan plan = current.plan(transitions, windows, findClosed(session, windows));
            return Optional.of(store(session, plan, transitions.size()));
        });
    }

    private Creation store(SqlSession session, Plan plan, int transitions) throws SQLException {
        int created = 0;
        for (var request : plan.created()) {
            created += NotificationRows.insert(session, request) ? 1 : 0;
        }
        for (var summary : plan.summaries()) {
            NotificationRows.upsert(session, summary);
        }
        for (var window : plan.windows().entrySet()) {
            session.update(
                    STORE_WINDOW_SQL,
                    window.getKey(),
                    EpochMicros.of(window.getValue().windowEnd()),
                    StoredWindow.write(window.getValue()));
        }
        return new Creation(created, transitions - plan.created().size());
    }

    private Map<String, FoldState> readWindows(SqlSession session, Set<String> ids) throws SQLException {
        String batch = Json.write(ids.stream().map(id -> Map.of("r_id", id)).toList());
        Map<String, FoldState> windows = new HashMap<>();
        for (FoldState state : session.list(windowsSql, row -> StoredWindow.read(row.getString(1)), batch)) {
            windows.put(state.group().id(), state);
        }
        return windows;
    }

    /** Returns the groups whose summary is being sent, was sent or was removed. */
    private Set<String> findClosed(SqlSession session, Map<String, FoldState> windows) throws SQLException {
        Set<String> closed = new HashSet<>();
        for (FoldState state : windows.values()) {
            if (state.folded() > 0) {
                Optional<String> phase =
                        session.first(phaseSql, row -> row.getString(1), NotificationPlanner.summaryName(state));
                if (phase.filter(DeliveryPhase.Pending.name()::equals).isEmpty()) {
                    closed.add(state.group().id());
                }
            }
        }
        return closed;
    }
}
