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
 * Dispatches journal entries to the event feed, the metrics, the log and the work queue.
 *
 * @param runStopper stops a run whose lock another server has released; must not block or throw
 */
record JournalDispatcher(
        JournalFeed feed,
        JournalMetrics metrics,
        ActiveRuns activeRuns,
        Consumer<WorkItem> queue,
        Consumer<RunRef> runStopper) {

    void dispatch(List<Journal.Entry> entries) {
        feed.append(entries);
        for (Journal.Entry entry : entries) {
            metrics.count(entry.transition());
            TransitionLogger.log(entry.transition());
            entry.transition().execution().ifPresent(execution -> wakeWorker(execution, entry.transition()));
        }
    }

    /** Queues an execution whose run is on this server although another server changed it. */
    private void wakeWorker(ExecutionRef execution, Transition transition) {
        switch (transition.type()) {
            case CancellationRequested, ExecutionDeleted -> {
                if (activeRuns.contains(execution)) {
                    queue.accept(new WorkItem(execution, Target.tryParse(transition.target())));
                }
            }
            case LockReleased -> {
                activeRuns.remove(execution).ifPresent(runStopper);
                activeRuns.removeStoppingTarget(execution);
            }
            default -> {
                // The server that caused the transition acts on it.
            }
        }
    }
}
