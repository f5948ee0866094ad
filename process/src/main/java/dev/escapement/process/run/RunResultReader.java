package dev.escapement.process.run;

import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.StepFacts;
import dev.escapement.governor.failure.StepState;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
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
            case "succeeded" -> new Observation.Succeeded(plan.finishedProgress(), at);
            case "failed" -> new Observation.Failed(failedFacts(at));
            case "late" -> new Observation.Failed(neverStartedFacts(at));
            case "stopped" -> new Observation.Failed(stoppedFacts(at));
            default -> new Observation.Failed(lostFacts(at));
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

    private RunFacts stoppedFacts(Instant at) throws IOException {
        Optional<StopReason> stop = folder.stopReason();
        if (stop.isEmpty()) {
            return lostFacts(at);
        }
        RunFacts facts = stoppedFacts(stop.get(), at);
        return trusted ? facts.asComplete() : facts;
    }

    private RunFacts stoppedFacts(StopReason stop, Instant at) throws IOException {
        String reason = stop.end() == RunEnd.TIMED_OUT ? "DeadlineExceeded" : "Cancelled";
        return facts(stop.end(), at, taskFacts(reason)).withReason("", stop.message());
    }

    private RunFacts lostFacts(Instant at) throws IOException {
        Optional<StopReason> stop = folder.stopReason();
        if (stop.isPresent()) {
            return stoppedFacts(stop.get(), at);
        }
        return facts(RunEnd.LOST, at, taskFacts(""))
                .withReason(
                        "SupervisorLost",
                        "the supervisor process ended without a result: it was killed, or the machine went down");
    }

    private RunFacts facts(RunEnd end, Instant at, List<TaskFacts> tasks) throws IOException {
        RunFacts facts = RunFacts.of(end, at).tasks(plan.taskCount(), tasks);
        return folder.taskStartedAt(1).map(facts::startedAt).orElse(facts);
    }

    /** @param stopReason reason of a task that was stopped; empty if the run was not stopped */
    private List<TaskFacts> taskFacts(String stopReason) throws IOException {
        List<TaskFacts> tasks = new ArrayList<>();
        for (int number = 1; number <= plan.taskCount(); number++) {
            Optional<TaskEnd> end = folder.readTaskEnd(number);
            if (end.isEmpty()) {
                break;
            }
            tasks.add(toTaskFacts(number, end.get(), stopReason));
        }
        return tasks;
    }

    private TaskFacts toTaskFacts(int number, TaskEnd end, String stopReason) throws IOException {
        if (end instanceof TaskEnd.Refused refused) {
            StepState neverStarted = new StepState.NeverStarted(refused.reason(), refused.message());
            return facts(number, TaskState.FAILED, neverStarted).withReason(refused.reason(), refused.message());
        }
        if (end instanceof TaskEnd.Ended ended && ended.isSuccess()) {
            return facts(number, TaskState.SUCCEEDED, terminatedState(ended, ""));
        }
        StepState state = end instanceof TaskEnd.Ended ended
                ? terminatedState(ended, failureMessage(number, ended))
                : unfinishedState(((TaskEnd.Unfinished) end).startedAt());
        String message = stopReason.isEmpty()
                ? ""
                : folder.stopReason().map(StopReason::message).orElse("");
        return facts(number, TaskState.FAILED, state).withReason(stopReason, message);
    }

    private TaskFacts facts(int number, TaskState state, StepState step) {
        return TaskFacts.of(number - 1, plan.task(number).name(), state)
                .withSteps(StepFacts.step(plan.task(number).program(), step));
    }

    private String failureMessage(int number, TaskEnd.Ended ended) throws IOException {
        String tail = new OutputLog(folder.path().resolve(RunFolder.LOG_FILE)).readTail();
        if (!tail.isEmpty()) {
            return tail;
        }
        String cause = ended.signal()
                .map(signal -> "was killed by signal " + signal)
                .orElseGet(() -> "ended with exit code " + ended.exitCode().orElse(0));
        return "%s %s and printed nothing".formatted(plan.taskTitle(number), cause);
    }

    private static StepState terminatedState(TaskEnd.Ended ended, String message) {
        return new StepState.Terminated(ended.exitCode(), ended.signal(), "", message, Optional.of(ended.startedAt()));
    }

    private static StepState unfinishedState(Instant startedAt) {
        return new StepState.Terminated(Optional.empty(), Optional.empty(), "", "", Optional.of(startedAt));
    }
}
