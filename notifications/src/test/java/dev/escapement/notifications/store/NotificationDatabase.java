package dev.escapement.notifications.store;

import dev.escapement.engine.journal.Transition;
import dev.escapement.notifications.delivery.DeliveryRetryPolicy;
import dev.escapement.notifications.folding.FoldingPolicy;
import dev.escapement.notifications.folding.NotificationPlanner;
import dev.escapement.notifications.routing.QuietTimes;
import dev.escapement.notifications.routing.RoutingRules;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import dev.escapement.storage.jdbc.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A real database whose notifications read the time from a table instead of its clock. */
public final class NotificationDatabase implements AutoCloseable {

    public static final DeliveryRetryPolicy RETRY_POLICY =
            new DeliveryRetryPolicy(4, Duration.ofSeconds(10), 2, Duration.ofMinutes(1));

    private static final String NOW = "(SELECT micros FROM virtual_clock)";

    private final TestDatabase database;
    private final Database opened;

    public NotificationDatabase(DatabaseKind kind) {
        this.database = kind.create();
        this.opened = database.open();
        execute("CREATE TABLE virtual_clock (micros bigint NOT NULL)", "INSERT INTO virtual_clock VALUES (0)");
    }

    public Database opened() {
        return opened;
    }

    public TestDatabase raw() {
        return database;
    }

    public NotificationStore store() {
        return new NotificationStore(opened.backend(), NOW);
    }

    public NotificationOutbox outbox(FoldingPolicy folding) {
        return new NotificationOutbox(opened.backend(), planner(folding));
    }

    static NotificationPlanner planner(FoldingPolicy folding) {
        return new NotificationPlanner(
                RoutingRules.sendAllTo("log", "ops"), QuietTimes.NONE, folding, RETRY_POLICY, "");
    }

    public void setNow(Instant time) {
        execute("UPDATE virtual_clock SET micros = " + EpochMicros.of(time));
    }

    /** Appends records to the journal, as the store of executions does with its writes. */
    public void append(List<Transition> transitions) {
        opened.backend().write(() -> "append to the journal", session -> {
            opened.backend().journal().append(session, transitions);
            return Optional.of(true);
        });
        opened.backend().publish(dev.escapement.storage.jdbc.Backend.ChangeTopic.JOURNAL);
    }

    /** On a connection that is open already: a new one takes longer than the statement. */
    private void execute(String... statements) {
        opened.backend().write(() -> "prepare the test", session -> {
            for (String sql : statements) {
                session.update(sql);
            }
            return Optional.of(true);
        });
    }

    public void clear() {
        execute(
                "DELETE FROM notifications",
                "DELETE FROM notification_windows",
                "DELETE FROM notification_position",
                "DELETE FROM journal",
                "UPDATE virtual_clock SET micros = 0");
    }

    @Override
    public void close() {
        database.close();
    }
}
