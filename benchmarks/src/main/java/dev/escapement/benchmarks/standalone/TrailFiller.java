package dev.escapement.benchmarks.standalone;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionDetail;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.notifications.audit.AuditAppender;
import dev.escapement.storage.Database;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Fills an audit trail through the journal. */
final class TrailFiller {

    private static final int BATCH_SIZE = 5_000;
    private static final Instant START = Instant.parse("2026-11-17T08:00:00Z");

    private TrailFiller() {}

    /** Returns how many records per second were copied from the journal to the trail. */
    static double fill(Database database, int records) {
        AuditAppender appender = new AuditAppender(database);
        long nanos = 0;
        for (long first = 0; first < records; first += BATCH_SIZE) {
            long from = first;
            database.backend().write(() -> "append to the journal", session -> {
                database.backend()
                        .journal()
                        .append(
                                session,
                                LongStream.range(from, Math.min(from + BATCH_SIZE, records))
                                        .mapToObj(TrailFiller::transition)
                                        .toList());
                return Optional.of(true);
            });
            long start = System.nanoTime();
            while (appender.appendNext() != AuditAppender.Result.COMPLETE) {
                // There is more.
            }
            nanos += System.nanoTime() - start;
        }
        return records / (nanos / 1e9);
    }

    private static Transition transition(long number) {
        return new Transition(
                TransitionType.WorkflowCompleted,
                START.plusMillis(number),
                Optional.of(new ExecutionRef("ops", "fix-" + number, "uid-" + number)),
                "restart",
                "node/worker-" + number % 1_000,
                "",
                "all tasks have completed",
                new TreeMap<>(Map.of(TransitionDetail.CONSECUTIVE_FAILURES.key(), "0")));
    }
}
