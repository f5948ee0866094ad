package dev.escapement.benchmarks.standalone;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Runs that have no effect and end at once, so that only the cost of the server is measured. */
final class NoOpRunnerService implements RunnerService {

    private static final int MAX_STARTED = 10_000;
    private static final RunProgress NO_PROGRESS = new RunProgress(0, 1, "");
    private static final RunProgress FULL_PROGRESS = new RunProgress(1, 1, "");

    /** Bounded: a run is observed soon after it was started, or never again. */
    private final Map<String, Boolean> started = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_STARTED;
        }
    });

    private final Consumer<ExecutionRef> onChange;
    private final InstantSource clock;

    NoOpRunnerService(Consumer<ExecutionRef> onChange, InstantSource clock) {
        this.onChange = onChange;
        this.clock = clock;
    }

    @Override
    public Preparation prepare(Execution execution) {
        ExecutionRef ref = execution.ref();
        return new Preparation.Ready(new RunRef(ref.namespace() + "/" + ref.name(), ref.uid()), "1", NO_PROGRESS);
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        if (started.putIfAbsent(run.uid(), true) != null) {
            return false;
        }
        String[] name = run.name().split("/", 2);
        onChange.accept(new ExecutionRef(name[0], name[1], run.uid()));
        return true;
    }

    @Override
    public Observation observe(RunRef run) {
        return started.containsKey(run.uid())
                ? new Observation.Succeeded(FULL_PROGRESS, clock.instant())
                : new Observation.Suspended("1");
    }

    @Override
    public void stop(RunRef run, String by) {
        // It has already ended.
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return !started.containsKey(run.uid());
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        // A prepared run has no data.
    }

    @Override
    public int recover(Predicate<ExecutionRef> ours) {
        return 0;
    }

    @Override
    public void deleteRunData(ExecutionRef execution) {
        started.remove(execution.uid());
    }

    @Override
    public Chunk read(RunRef run, long from, int limit) {
        return new Chunk("", from, true);
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
