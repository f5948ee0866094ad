package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Runs that end when the simulation says so. One per execution at a time, found by the execution as on a cluster. */
class SimulatedRunner implements WorkflowRunner {

    enum State {
        SUSPENDED,
        GOING,
        SUCCEEDED,
        FAILED_BEFORE,
        FAILED_DURING
    }

    static final class Run {
        final RunRef ref;
        final ExecutionRef execution;
        final String target;
        final String workflow;
        State state = State.SUSPENDED;
        int version;
        int tasksDone;
        boolean stopping;

        Run(RunRef ref, Execution execution) {
            this.ref = ref;
            this.execution = execution.ref();
            this.target = execution.spec().targetResource();
            this.workflow = execution.workflow();
        }

        void become(State next) {
            state = next;
            version++;
        }
    }

    private static final TaskFacts NEVER_STARTED = TaskFacts.of(0, "first", TaskState.FAILED)
            .because("ImagePullBackOff", "no such image")
            .with(StepFacts.step("do", new StepState.NeverStarted("ImagePullBackOff", "no such image")));

    final Map<ExecutionRef, Run> runs = new LinkedHashMap<>();
    private final RandomGenerator random;
    private final History history;
    private final Supplier<Instant> clock;
    private int prepared;

    SimulatedRunner(RandomGenerator random, History history, Supplier<Instant> clock) {
        this.random = random;
        this.history = history;
        this.clock = clock;
    }

    @Override
    public Preparation prepare(Execution execution) {
        Fiber.pause();
        Run run = runs.get(execution.ref());
        if (run == null) {
            if (execution.workflow().equals("missing")) {
                return new Preparation.Refused(
                        RunFacts.of(RunEnd.REFUSED, clock.get()).because("WorkflowNotFound", "no workflow missing"));
            }
            run = new Run(new RunRef("run-of-" + execution.ref().name(), "run-" + ++prepared), execution);
            runs.put(execution.ref(), run);
        }
        return new Preparation.Ready(run.ref, Integer.toString(run.version), new Progress(run.tasksDone, 3, ""));
    }

    @Override
    public boolean start(RunRef ref, String version) {
        Fiber.pause();
        Optional<Run> run = find(ref).filter(found -> mayStart(found, version));
        run.ifPresent(found -> {
            found.become(State.GOING);
            history.runStarted(found);
        });
        return run.isPresent();
    }

    boolean mayStart(Run run, String version) {
        return Integer.toString(run.version).equals(version) && run.state == State.SUSPENDED;
    }

    @Override
    public Observation observe(RunRef ref) {
        Fiber.pause();
        Optional<Run> found = find(ref);
        if (found.isEmpty()) {
            return new Observation.Missing();
        }
        Run run = found.get();
        Progress progress = new Progress(run.tasksDone, 3, "");
        return switch (run.state) {
            case SUSPENDED -> new Observation.Suspended(Integer.toString(run.version));
            case GOING -> new Observation.Going(progress);
            case SUCCEEDED -> new Observation.Succeeded(new Progress(3, 3, ""), clock.get());
            case FAILED_BEFORE ->
                new Observation.Failed(RunFacts.of(RunEnd.FAILED, clock.get())
                        .tasks(3, List.of(NEVER_STARTED))
                        .andThatIsAll());
            case FAILED_DURING ->
                new Observation.Failed(RunFacts.of(run.stopping ? RunEnd.CANCELLED : RunEnd.FAILED, clock.get()));
        };
    }

    @Override
    public void stop(RunRef ref, String by) {
        Fiber.pause();
        find(ref).filter(run -> run.state == State.GOING).ifPresent(run -> run.stopping = true);
    }

    @Override
    public boolean remove(RunRef ref, String version) {
        Fiber.pause();
        Optional<Run> run = find(ref).filter(found -> mayStart(found, version));
        run.ifPresent(found -> runs.remove(found.execution));
        return run.isPresent();
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        Fiber.pause();
        Run run = runs.get(execution);
        if (run != null && run.state == State.SUSPENDED) {
            runs.remove(execution);
        }
    }

    private Optional<Run> find(RunRef ref) {
        return runs.values().stream()
                .filter(run -> run.ref.uid().equals(ref.uid()))
                .findFirst();
    }

    /** Something happens to a run that is going. */
    void stir() {
        runs.values().stream().filter(run -> run.state == State.GOING).toList().forEach(run -> {
            if (random.nextInt(3) == 0) {
                happen(run);
            }
        });
    }

    private void happen(Run run) {
        switch (run.stopping ? 3 : random.nextInt(6)) {
            case 0, 1 -> run.tasksDone = Math.min(3, run.tasksDone + 1);
            case 2 -> end(run, State.SUCCEEDED);
            case 3 -> end(run, State.FAILED_DURING);
            case 4 -> end(run, State.FAILED_BEFORE);
            default -> {
                runs.remove(run.execution);
                history.runVanished(run);
            }
        }
    }

    void end(Run run, State state) {
        run.become(state);
        history.runEnded(run);
    }
}
