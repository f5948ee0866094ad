package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A runner whose runs end when the simulation decides. One run per execution, as on a cluster. */
class SimulatedRunner implements WorkflowRunner {

    enum RunState {
        SUSPENDED,
        RUNNING,
        SUCCEEDED,
        WITHDRAWN,
        FAILED_BEFORE,
        FAILED_DURING
    }

    static final class SimulatedRun {
        final RunRef ref;
        final ExecutionRef execution;
        final String target;
        final String workflow;
        RunState state = RunState.SUSPENDED;
        int version;
        int tasksDone;
        long epoch;
        boolean stopping;
        boolean pickedUp;
        Instant startedAt = Instant.EPOCH;
        Optional<Instant> stopRequestedAt = Optional.empty();

        SimulatedRun(RunRef ref, Execution execution) {
            this.ref = ref;
            this.execution = execution.ref();
            this.target = execution.spec().targetResource();
            this.workflow = execution.workflowId();
        }

        void setState(RunState next) {
            state = next;
            version++;
        }
    }

    /** Every request for it fails validation. */
    static final String INVALID_WORKFLOW = "invalid";

    private static final TaskFacts NEVER_STARTED = TaskFacts.of(0, "first", TaskState.FAILED)
            .withReason("ImagePullBackOff", "no such image")
            .withSteps(StepFacts.step("do", new StepState.NeverStarted("ImagePullBackOff", "no such image")));

    final Map<ExecutionRef, SimulatedRun> runs = new LinkedHashMap<>();
    private final RandomGenerator random;
    private final SimulationInvariants invariants;
    private final Supplier<Instant> clock;
    private int prepared;

    /** Whether the executor accepts requests. */
    private boolean accepting = true;

    private Instant unavailableSince = Instant.EPOCH;

    /** Whether the executor works on the runs that were started. */
    boolean working = true;

    /** After what time the executor ends a run. */
    Optional<Duration> timeout = Optional.empty();

    SimulatedRunner(RandomGenerator random, SimulationInvariants invariants, Supplier<Instant> clock) {
        this.random = random;
        this.invariants = invariants;
        this.clock = clock;
    }

    @Override
    public Optional<String> validate(Execution execution) {
        return execution.workflowId().equals(INVALID_WORKFLOW)
                ? Optional.of("parameter SIZE is missing")
                : Optional.empty();
    }

    @Override
    public Preparation prepare(Execution execution) {
        Fiber.pause();
        SimulatedRun run = runs.get(execution.ref());
        if (run == null) {
            if (execution.workflowId().equals("missing")) {
                return new Preparation.Refused(
                        RunFacts.of(RunEnd.REFUSED, clock.get()).withReason("WorkflowNotFound", "no workflow missing"));
            }
            requireAccepting();
            run = new SimulatedRun(new RunRef("run-of-" + execution.ref().name(), "run-" + ++prepared), execution);
            runs.put(execution.ref(), run);
        }
        return new Preparation.Ready(run.ref, Integer.toString(run.version), new RunProgress(run.tasksDone, 3, ""));
    }

    @Override
    public boolean start(RunRef ref, String version, long epoch) {
        Fiber.pause();
        requireAccepting();
        Optional<SimulatedRun> run = find(ref).filter(found -> mayStart(found, version));
        run.ifPresent(found -> {
            found.setState(RunState.RUNNING);
            found.startedAt = clock.get();
            found.pickedUp = working;
            found.epoch = epoch;
            invariants.runStarted(found);
        });
        return run.isPresent();
    }

    boolean mayStart(SimulatedRun run, String version) {
        return Integer.toString(run.version).equals(version) && run.state == RunState.SUSPENDED;
    }

    @Override
    public Observation observe(RunRef ref) {
        Fiber.pause();
        Optional<SimulatedRun> found = find(ref);
        if (found.isEmpty()) {
            return new Observation.Missing();
        }
        SimulatedRun run = found.get();
        RunProgress progress = new RunProgress(run.tasksDone, 3, "");
        return switch (run.state) {
            case SUSPENDED -> new Observation.Suspended(Integer.toString(run.version));
            case RUNNING -> observeStarted(run, progress);
            case WITHDRAWN ->
                new Observation.Failed(RunFacts.of(RunEnd.REFUSED, clock.get())
                        .withReason("ExecutorUnavailable", "withdrawn")
                        .asNeverStarted());
            case SUCCEEDED -> new Observation.Succeeded(new RunProgress(3, 3, ""), clock.get());
            case FAILED_BEFORE ->
                new Observation.Failed(RunFacts.of(RunEnd.FAILED, clock.get())
                        .tasks(3, List.of(NEVER_STARTED))
                        .asComplete());
            case FAILED_DURING ->
                new Observation.Failed(RunFacts.of(run.stopping ? RunEnd.CANCELLED : RunEnd.FAILED, clock.get()));
        };
    }

    private Observation observeStarted(SimulatedRun run, RunProgress progress) {
        return run.pickedUp
                ? new Observation.Running(
                        progress, timeout.map(run.startedAt::plus), run.stopRequestedAt, Optional.empty())
                : new Observation.Stalled(Integer.toString(run.version), run.startedAt, Optional.empty());
    }

    void setAccepting(boolean accepted) {
        unavailableSince = accepting ? clock.get() : unavailableSince;
        accepting = accepted;
    }

    boolean isAccepting() {
        return accepting;
    }

    private void requireAccepting() {
        if (!accepting) {
            throw new ExecutorUnavailableException("no webhook", unavailableSince, new IllegalStateException("away"));
        }
    }

    @Override
    public void stop(RunRef ref, String actor) {
        Fiber.pause();
        requireAccepting();
        find(ref).filter(run -> run.state == RunState.RUNNING).ifPresent(run -> {
            run.stopping = true;
            run.stopRequestedAt = run.stopRequestedAt.or(() -> Optional.of(clock.get()));
        });
    }

    @Override
    public boolean removeStarted(RunRef ref) {
        Fiber.pause();
        Optional<SimulatedRun> started = find(ref).filter(run -> run.state == RunState.RUNNING);
        started.ifPresent(run -> {
            runs.remove(run.execution);
            invariants.runVanished(run);
        });
        return started.isPresent();
    }

    @Override
    public Withdrawal withdraw(RunRef ref, String version, RunFacts facts) {
        Fiber.pause();
        Optional<SimulatedRun> run = find(ref).filter(found -> mayWithdraw(found, version));
        if (run.isEmpty()) {
            return Withdrawal.CONFLICT;
        }
        endRun(run.get(), RunState.WITHDRAWN);
        if (run.get().pickedUp) {
            // Its steps ran, whatever is recorded of it.
            invariants.runVanished(run.get());
        }
        if (accepting) {
            return Withdrawal.MARKED;
        }
        runs.remove(run.get().execution);
        return Withdrawal.REMOVED;
    }

    boolean mayWithdraw(SimulatedRun run, String version) {
        return Integer.toString(run.version).equals(version) && run.state == RunState.RUNNING;
    }

    @Override
    public boolean remove(RunRef ref, String version) {
        Fiber.pause();
        Optional<SimulatedRun> run = find(ref).filter(found -> mayStart(found, version));
        run.ifPresent(found -> runs.remove(found.execution));
        return run.isPresent();
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        Fiber.pause();
        SimulatedRun run = runs.get(execution);
        if (run != null && run.state == RunState.SUSPENDED) {
            runs.remove(execution);
        }
    }

    @Override
    public List<TargetRun> findRuns(Target target) {
        Fiber.pause();
        return runs.values().stream()
                .filter(run -> run.target.equals(target.canonical()))
                .map(SimulatedRunner::toTargetRun)
                .toList();
    }

    @Override
    public Optional<TargetRun> findActiveRun(ExecutionRef execution) {
        Fiber.pause();
        return Optional.ofNullable(runs.get(execution))
                .map(SimulatedRunner::toTargetRun)
                .filter(TargetRun::isActive);
    }

    private static TargetRun toTargetRun(SimulatedRun run) {
        boolean suspended = run.state == RunState.SUSPENDED;
        return new TargetRun(
                run.execution,
                run.workflow,
                run.ref,
                suspended ? Optional.of(Integer.toString(run.version)) : Optional.empty(),
                !suspended && run.state != RunState.RUNNING);
    }

    private Optional<SimulatedRun> find(RunRef ref) {
        return runs.values().stream()
                .filter(run -> run.ref.uid().equals(ref.uid()))
                .findFirst();
    }

    /** Applies random events to active runs. */
    void advanceRuns() {
        runs.values().stream()
                .filter(run -> run.state == RunState.RUNNING && working)
                .toList()
                .forEach(run -> {
                    if (!run.pickedUp) {
                        run.pickedUp = true;
                        run.version++;
                    } else if (random.nextInt(3) == 0) {
                        applyRandomEvent(run);
                    }
                });
    }

    private void applyRandomEvent(SimulatedRun run) {
        switch (run.stopping ? 3 : random.nextInt(6)) {
            case 0, 1 -> run.tasksDone = Math.min(3, run.tasksDone + 1);
            case 2 -> endRun(run, RunState.SUCCEEDED);
            case 3 -> endRun(run, RunState.FAILED_DURING);
            case 4 -> endRun(run, RunState.FAILED_BEFORE);
            default -> {
                runs.remove(run.execution);
                invariants.runVanished(run);
            }
        }
    }

    void endRun(SimulatedRun run, RunState state) {
        run.setState(state);
        invariants.runEnded(run);
    }
}
