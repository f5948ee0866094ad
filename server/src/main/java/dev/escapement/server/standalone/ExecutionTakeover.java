package dev.escapement.server.standalone;

import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.journal.Transition;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.WorkItem;
import dev.escapement.storage.ServerRegistry;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enqueues the unfinished executions of this server, those of servers whose lease has expired, and those with a run
 * here that another server has changed.
 *
 * @param isWaiting whether an execution waits on this server, so that an event or its deadline wakes it
 * @param runStopper stops a run whose lock another server has released; must not block or throw
 */
record ExecutionTakeover(
        ServerRegistry registry,
        ServerLease lease,
        ActiveRuns activeRuns,
        Predicate<ExecutionRef> isWaiting,
        Consumer<WorkItem> queue,
        Consumer<RunRef> runStopper) {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutionTakeover.class);

    /** Returns the uids of this server's executions that have no terminal phase. */
    Set<String> unfinishedUids() {
        Set<String> uids = new HashSet<>();
        registry.forEachUnfinished(seen -> {
            if (!(seen.value().status() instanceof ExecutionStatus.Final)) {
                uids.add(seen.value().ref().uid());
            }
        });
        return uids;
    }

    /** Enqueues the unfinished executions of this server, except those that wait, and returns the number of all. */
    int enqueueUnfinished() {
        AtomicInteger count = new AtomicInteger();
        registry.forEachUnfinished(seen -> {
            ExecutionRef execution = seen.value().ref();
            activeRuns.update(seen.value());
            if (!isWaiting.test(execution)) {
                queue.accept(WorkItem.of(execution));
            }
            count.incrementAndGet();
        });
        return count.get();
    }

    /**
     * Takes over from servers whose lease has expired. Does nothing while this server does not hold its own lease, or
     * could not start what it takes over.
     */
    void takeOverExpiredServers() {
        if (!lease.isHeld() || !lease.mayStart()) {
            return;
        }
        for (ServerRegistry.Server server : registry.expiredServers()) {
            registry.takeOver(server.id()).ifPresent(executions -> {
                LOG.warn("Lease of server {} has expired; took over {} executions", server.id(), executions.size());
                executions.forEach(execution -> queue.accept(WorkItem.of(execution)));
            });
        }
    }

    /** Acts on a transition of an execution whose run is on this server although another server changed it. */
    void onTransition(Transition transition) {
        transition.execution().ifPresent(execution -> {
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
        });
    }
}
