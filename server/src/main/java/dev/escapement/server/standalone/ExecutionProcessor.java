package dev.escapement.server.standalone;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.WorkItem;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One look at one execution. It remembers only the targets of deleted executions whose runs are still being stopped:
 * the end of such a run is the last that is heard of them. After a crash the healing finds them.
 */
public final class ExecutionProcessor implements Function<WorkItem, Requeue> {

    private final ExecutionStore store;
    private final Engine engine;
    private final InstantSource clock;
    private final BooleanSupplier mayStart;
    private final Consumer<Execution> executionListener;
    private final Runnable lockRecoveryTrigger;
    private final Consumer<ExecutionRef> runRemover;
    private final Map<String, Target> stoppingTargets = new ConcurrentHashMap<>();

    /**
     * A driver of the engine.
     *
     * @param mayStart whether this server may start runs now; while it may not, what waits goes on waiting
     * @param looked hears of every execution that is looked at
     * @param healSoon looks for targets whose holder is gone
     * @param forget removes what is kept of the runs of deleted executions
     */
    public ExecutionProcessor(
            ExecutionStore store,
            Engine engine,
            InstantSource clock,
            BooleanSupplier mayStart,
            Consumer<Execution> looked,
            Runnable healSoon,
            Consumer<ExecutionRef> forget) {
        this.mayStart = mayStart;
        this.executionListener = looked;
        this.store = store;
        this.engine = engine;
        this.clock = clock;
        this.lockRecoveryTrigger = healSoon;
        this.runRemover = forget;
    }

    @Override
    public Requeue apply(WorkItem work) {
        Optional<Versioned<Execution>> seen = store.readExecution(work.execution());
        if (seen.isEmpty()) {
            return processDeleted(work);
        }
        executionListener.accept(seen.get().value());
        return mustWaitForLease(seen.get().value()) ? Requeue.IMMEDIATELY : engine.advance(seen.get(), clock.instant());
    }

    /** Without its lease a server starts nothing, and that is nobody's failure: it costs no attempt. */
    private boolean mustWaitForLease(Execution execution) {
        return execution.status() instanceof ExecutionStatus.Pending
                && execution.cancelledBy().isEmpty()
                && !mayStart.getAsBoolean();
    }

    private Requeue processDeleted(WorkItem work) {
        String uid = work.execution().uid();
        Optional<Target> target = work.target().or(() -> Optional.ofNullable(stoppingTargets.get(uid)));
        if (target.isEmpty()) {
            runRemover.accept(work.execution());
            lockRecoveryTrigger.run();
            return Requeue.NEVER;
        }
        Requeue next = engine.cleanUpDeleted(work.execution(), target.get(), clock.instant());
        if (next == Requeue.NEVER) {
            stoppingTargets.remove(uid);
            runRemover.accept(work.execution());
        } else {
            stoppingTargets.put(uid, target.get());
        }
        return next;
    }

    /** The target of a deleted execution is free, whoever freed it. */
    public void onLockReleased(ExecutionRef execution) {
        stoppingTargets.remove(execution.uid());
    }

    /** How many deleted executions are waiting for their runs to end. */
    int stoppingCount() {
        return stoppingTargets.size();
    }
}
