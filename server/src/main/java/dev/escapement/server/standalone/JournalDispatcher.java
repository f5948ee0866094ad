package dev.escapement.server.standalone;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.WorkItem;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.events.TransitionLogger;
import dev.escapement.server.metrics.JournalMetrics;
import java.util.List;
import java.util.function.Consumer;

/**
 * Everybody who wants to know what the journal says: listeners, metrics, the log, and the worker.
 *
 * @param runStopper ends runs that others have ended in the books; must not block or throw
 */
record JournalDispatcher(
        JournalFeed feed,
        JournalMetrics metrics,
        TransitionLogger log,
        ActiveRuns activeRuns,
        ExecutionProcessor processor,
        Consumer<WorkItem> queue,
        Consumer<RunRef> runStopper) {

    void dispatch(List<Journal.Entry> entries) {
        feed.append(entries);
        for (Journal.Entry entry : entries) {
            metrics.count(entry.transition());
            log.log(entry.transition());
            entry.transition().execution().ifPresent(execution -> wakeWorker(execution, entry.transition()));
        }
    }

    /** Somebody may have asked another server; the run is here. */
    private void wakeWorker(ExecutionRef execution, Transition transition) {
        switch (transition.type()) {
            case CancellationRequested, ExecutionDeleted -> {
                if (activeRuns.contains(execution)) {
                    queue.accept(WorkItem.of(execution, Target.tryParse(transition.target())));
                }
            }
            case LockReleased -> {
                activeRuns.remove(execution).ifPresent(runStopper);
                processor.onLockReleased(execution);
            }
            default -> {
                // Whoever caused it knows.
            }
        }
    }
}
