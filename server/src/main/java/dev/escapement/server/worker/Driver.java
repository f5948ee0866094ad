package dev.escapement.server.worker;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Next;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One look at one execution. It remembers only the targets of deleted executions whose runs are still being stopped:
 * the end of such a run is the last that is heard of them. After a crash the healing finds them.
 */
public final class Driver implements Function<Work, Next> {

    private final Store store;
    private final Engine engine;
    private final InstantSource clock;
    private final Runnable healSoon;
    private final Consumer<ExecutionRef> forget;
    private final Map<String, Target> stopping = new ConcurrentHashMap<>();

    /**
     * A driver of the engine.
     *
     * @param healSoon looks for targets whose holder is gone
     * @param forget removes what is kept of the runs of deleted executions
     */
    public Driver(Store store, Engine engine, InstantSource clock, Runnable healSoon, Consumer<ExecutionRef> forget) {
        this.store = store;
        this.engine = engine;
        this.clock = clock;
        this.healSoon = healSoon;
        this.forget = forget;
    }

    @Override
    public Next apply(Work work) {
        Optional<Versioned<Execution>> seen = store.execution(work.execution());
        return seen.isPresent() ? engine.advance(seen.get(), clock.instant()) : cleanUp(work);
    }

    private Next cleanUp(Work work) {
        String uid = work.execution().uid();
        Optional<Target> target = work.target().or(() -> Optional.ofNullable(stopping.get(uid)));
        if (target.isEmpty()) {
            healSoon.run();
            return Next.DONE;
        }
        Next next = engine.deleted(work.execution(), target.get(), clock.instant());
        if (next == Next.DONE) {
            stopping.remove(uid);
            forget.accept(work.execution());
        } else {
            stopping.put(uid, target.get());
        }
        return next;
    }

    /** The target of a deleted execution is free, whoever freed it. */
    public void released(ExecutionRef execution) {
        stopping.remove(execution.uid());
    }

    /** How many deleted executions are waiting for their runs to end. */
    int remembered() {
        return stopping.size();
    }
}
