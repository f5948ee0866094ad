package dev.escapement.process.run;

import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.process.run.RunFolder.StopReason;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the result of an ended run from its folder.
 *
 * @param trusted true if the folder was written since the last boot; otherwise a power failure may have lost files
 */
public record RunResultReader(RunFolder folder, RunPlan plan, boolean trusted) {

    /** Result of a run whose supervisor died without writing one. */
    public static final String LOST_RESULT = "lost";

    public Observation toObservation(String result, Instant at) throws IOException {
        return switch (result) {
            case "succeeded" -> new Observation.Succeeded(new RunProgress(plan.taskCount(), plan.taskCount(), ""), at);
            case "failed" -> new Observation.Failed(failedFacts(at));
            case "late" -> new Observation.Failed(neverStartedFacts(at));
            case "stopped" -> new Observation.Failed(stoppedOrLostFacts(at, trusted));
            default -> new Observation.Failed(stoppedOrLostFacts(at, false));
        };
    }

    private RunFacts failedFacts(Instant at) throws IOException {
        List<TaskFacts> tasks = taskFacts("");
        String reason = tasks.isEmpty() ? "" : tasks.get(tasks.size() - 1).reason();
        RunFacts facts = facts(RunEnd.FAILED, at, tasks)
                .withReason(reason, "task %d of %d failed".formatted(Math.max(1, tasks.size()), plan.taskCount()));
        return trusted ? facts.asComplete() : facts;
    }

    private RunFacts neverStartedFacts(Instant at) {
        return RunFacts.of(RunEnd.REFUSED, at)
                .withReason(
                        "", "the lease of the server expired before the first task could start; no task was started")
                .tasks(plan.taskCount(), List.of())
                .asNeverStarted();
    }

    /** @param complete whether the folder shows everything that happened, if the run was stopped */
    private RunFacts stoppedOrLostFacts(Instant at, boolean complete) throws IOException {
        Optional<StopReason> stop = folder.stopReason();
        if (stop.isEmpty()) {
            return facts(RunEnd.LOST, at, taskFacts(""))
                    .withReason(
                            "SupervisorLost",
                            "the supervisor process ended without a result: it was killed, or the machine went down");
        }
        RunEnd end = stop.get().end();
        RunFacts facts = facts(end, at, taskFacts(end == RunEnd.TIMED_OUT ? "DeadlineExceeded" : "Cancelled"))
                .withReason("", stop.get().message());
        return complete ? facts.asComplete() : facts;
    }

    private RunFacts facts(RunEnd end, Instant at, List<TaskFacts> tasks) throws IOException {
        return RunFacts.of(end, at).tasks(plan.taskCount(), tasks).startedAt(folder.taskStartedAt(1));
    }

    /** @param stopReason reason of a task that was stopped; empty if the run was not stopped */
    private List<TaskFacts> taskFacts(String stopReason) throws IOException {
        List<TaskFacts> tasks = new ArrayList<>();
        for (int number = 1; number <= plan.taskCount(); number++) {
            Optional<StepState> end = folder.readTaskEnd(number);
            if (end.isEmpty()) {
                break;
            }
            tasks.add(toTaskFacts(number, end.get(), stopReason));
        }
        return tasks;
    }

    private TaskFacts toTaskFacts(int number, StepState end, String stopReason) throws IOException {
        if (!(end instanceof StepState.Terminated ended)) {
            return facts(number, TaskState.FAILED, end).withReason(end.reason(), end.message());
        }
        if (ended.exitCode().equals(Optional.of(0))) {
            return facts(number, TaskState.SUCCEEDED, ended);
        }
        StepState failed = new StepState.Terminated(
                ended.exitCode(), ended.signal(), "", failureMessage(number, ended), ended.startedAt());
        Optional<StopReason> stop = stopReason.isEmpty() ? Optional.empty() : folder.stopReason();
        return facts(number, TaskState.FAILED, failed)
                .withReason(stopReason, stop.map(StopReason::message).orElse(""));
    }

    private TaskFacts facts(int number, TaskState state, StepState step) {
        return TaskFacts.of(number - 1, plan.task(number).name(), state)
                .withSteps(StepFacts.step(plan.task(number).program(), step));
    }

    /** Returns the end of the output; empty if the end of the task is unknown. */
    private String failureMessage(int number, StepState.Terminated ended) throws IOException {
        Optional<String> cause = ended.signal()
                .map(signal -> "was killed by signal " + signal)
                .or(() -> ended.exitCode().map(code -> "ended with exit code " + code));
        String tail = cause.isEmpty() ? "" : folder.log().readTail();
        return !tail.isEmpty() || cause.isEmpty()
                ? tail
                : "%s %s and printed nothing".formatted(plan.taskTitle(number), cause.get());
    }
}
