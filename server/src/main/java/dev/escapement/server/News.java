package dev.escapement.server;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.events.Feed;
import dev.escapement.server.metrics.JournalLog;
import dev.escapement.server.metrics.JournalMetrics;
import dev.escapement.server.worker.Driver;
import dev.escapement.server.worker.GoingRuns;
import dev.escapement.server.worker.Work;
import java.util.List;
import java.util.function.Consumer;

/**
 * Everybody who wants to know what the journal says: listeners, metrics, the log, and the worker.
 *
 * @param stop ends runs that others have ended in the books; must not block or throw
 */
record News(
        Feed feed,
        JournalMetrics metrics,
        JournalLog log,
        GoingRuns going,
        Driver driver,
        Consumer<Work> queue,
        Consumer<RunRef> stop) {

    void tell(List<Journal.Entry> entries) {
        feed.append(entries);
        for (Journal.Entry entry : entries) {
            metrics.count(entry.transition());
            log.say(entry.transition());
            entry.transition().execution().ifPresent(execution -> wake(execution, entry.transition()));
        }
    }

    /** Somebody may have asked another server; the run is here. */
    private void wake(ExecutionRef execution, Transition transition) {
        switch (transition.type()) {
            case CancellationRequested, ExecutionDeleted -> {
                if (going.has(execution)) {
                    queue.accept(Work.on(execution, Target.tryParse(transition.target())));
                }
            }
            case LockReleased -> {
                going.released(execution).ifPresent(stop);
                driver.released(execution);
            }
            default -> {
                // Whoever caused it knows.
            }
        }
    }
}
