package dev.escapement.benchmarks.standalone;

import dev.escapement.engine.port.Journal;
import dev.escapement.notifications.audit.AuditAppender;
import dev.escapement.notifications.config.NotificationSettings;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.store.NotificationOutbox;
import dev.escapement.notifications.worker.DeliveryListener;
import dev.escapement.notifications.worker.NotificationCreator;
import dev.escapement.storage.Database;
import dev.escapement.storage.jdbc.StatementCounters.Counts;
import java.util.Optional;

/**
 * What the audit trail and notifications add to an execution: what it takes to derive both from the journal once more,
 * when nothing else runs.
 *
 * @param records of the trail, per execution
 * @param statements SQL statements, per execution
 * @param transactions write transactions, per execution
 * @param micros time, per execution
 */
record AddedCost(double records, double statements, double transactions, double micros) {

    static AddedCost measure(Database database) {
        // The first run warms up the code.
        derive(database);
        return derive(database);
    }

    private static AddedCost derive(Database database) {
        reset(database);
        AuditAppender appender = new AuditAppender(database);
        NotificationCreator creator = new NotificationCreator(
                database.journal(),
                new NotificationOutbox(database.backend(), NotificationSettings.DEFAULT.planner("")),
                new NoListener(),
                () -> {});
        Counts before = database.backend().counters().read();
        long start = System.nanoTime();
        while (appender.appendNext() != AuditAppender.Result.COMPLETE) {
            // There is more.
        }
        while (creator.processNext()) {
            // There is more.
        }
        double micros = (System.nanoTime() - start) / 1e3;
        Counts used = database.backend().counters().read().since(before);
        double executions = count(database, "SELECT count(*) FROM executions");
        return new AddedCost(
                count(database, "SELECT count(*) FROM audit") / executions,
                used.statements() / executions,
                used.writeTransactions() / executions,
                micros / executions);
    }

    /** Sets both back to the beginning of the journal. */
    private static void reset(Database database) {
        database.backend().write(() -> "remove the audit trail", session -> {
            session.update("DELETE FROM audit");
            session.update(
                    "UPDATE audit_head SET sequence = 0, hash = ?, journal_position = ?",
                    "0".repeat(64),
                    Journal.START);
            session.update("UPDATE notification_position SET position = ?", Journal.START);
            return Optional.of(true);
        });
    }

    private static double count(Database database, String sql) {
        return database.backend()
                .read(() -> "count", session -> session.first(sql, row -> row.getDouble(1)))
                .orElseThrow();
    }

    double recordsPerSecond() {
        return records / micros * 1e6;
    }

    /** Nothing is counted here. */
    private static final class NoListener implements DeliveryListener {
        @Override
        public void onAttempt(String channel, boolean sent) {}

        @Override
        public void onRetry() {}

        @Override
        public void onFinished(DeliveryPhase phase) {}

        @Override
        public void onCreated(int created, int folded) {}
    }
}
