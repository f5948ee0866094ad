package dev.escapement.server.standalone;

import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.journal.Transition;
import dev.escapement.governor.Target;
import dev.escapement.server.WorkItem;
import dev.escapement.storage.ServerRegistry;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enqueues the unfinished executions of this server, those of servers whose lease has expired, and those with a run
 * here that another server has changed.
 *
 * @param runStopper stops a run whose lock another server has released; must not block or throw
 */
record ExecutionTakeover(
        ServerRegistry registry,
        ServerLease lease,
        ActiveRuns activeRuns,
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

    /** Enqueues all unfinished executions of this server and returns their number. */
    int enqueueUnfinished() {
        AtomicInteger count = new AtomicInteger();
        registry.forEachUnfinished(seen -> {
            activeRuns.update(seen.value());
            queue.accept(WorkItem.of(seen.value().ref()));
            count.incrementAndGet();
        });
        return count.get();
    }

    /** Takes over from servers whose lease has expired; does nothing while this server does not hold its own. */
    void takeOverExpiredServers() {
        if (!lease.isHeld()) {
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
