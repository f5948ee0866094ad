package dev.escapement.process;

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
 * What became of a run that has ended, from its folder.
 *
 * @param trusted the folder was written in this boot of the machine. Otherwise what is not there may have been lost
 */
record Findings(RunFolder folder, Plan plan, boolean trusted) {

    /** The word of a run whose supervisor is gone without one. */
    static final String LOST = "lost";

    Observation observation(String word, Instant at) throws IOException {
        return switch (word) {
            case "succeeded" -> new Observation.Succeeded(plan.done(), at);
            case "failed" -> new Observation.Failed(failed(at));
            case "late" -> new Observation.Failed(neverLetGo(at));
            case "stopped" -> new Observation.Failed(stopped(at));
            default -> new Observation.Failed(lost(at));
        };
    }

    private RunFacts failed(Instant at) throws IOException {
        List<TaskFacts> tasks = tasks("");
        String reason = tasks.isEmpty() ? "" : tasks.get(tasks.size() - 1).reason();
        RunFacts facts = facts(RunEnd.FAILED, at, tasks)
                .withReason(reason, "task %d of %d failed".formatted(Math.max(1, tasks.size()), plan.total()));
        return trusted ? facts.asComplete() : facts;
    }

    private RunFacts neverLetGo(Instant at) {
        return RunFacts.of(RunEnd.REFUSED, at)
                .withReason("", "this server's lease ran out before the first task could begin, so none did")
                .tasks(plan.total(), List.of())
                .asNeverStarted();
    }

    private RunFacts stopped(Instant at) throws IOException {
        Optional<Stop> stop = folder.stop();
        if (stop.isEmpty()) {
            return lost(at);
        }
        RunFacts facts = stopped(stop.get(), at);
        return trusted ? facts.asComplete() : facts;
    }

    private RunFacts stopped(Stop stop, Instant at) throws IOException {
        String word = stop.end() == RunEnd.TIMED_OUT ? "DeadlineExceeded" : "Cancelled";
        return facts(stop.end(), at, tasks(word)).withReason("", stop.message());
    }

    private RunFacts lost(Instant at) throws IOException {
        Optional<Stop> stop = folder.stop();
        if (stop.isPresent()) {
            return stopped(stop.get(), at);
        }
        return facts(RunEnd.LOST, at, tasks(""))
                .withReason(
                        "SupervisorLost",
                        "the process that ran the tasks is gone without a word: killed, or the machine went down");
    }

    private RunFacts facts(RunEnd end, Instant at, List<TaskFacts> tasks) throws IOException {
        RunFacts facts = RunFacts.of(end, at).tasks(plan.total(), tasks);
        return folder.begunAt(1).map(facts::startedAt).orElse(facts);
    }

    /** @param cutShort the word for a task that was made to end; empty if none was */
    private List<TaskFacts> tasks(String cutShort) throws IOException {
        List<TaskFacts> tasks = new ArrayList<>();
        for (int number = 1; number <= plan.total(); number++) {
            Optional<TaskEnd> end = folder.task(number);
            if (end.isEmpty()) {
                break;
            }
            tasks.add(task(number, end.get(), cutShort));
        }
        return tasks;
    }

    private TaskFacts task(int number, TaskEnd end, String cutShort) throws IOException {
        if (end instanceof TaskEnd.Refused refused) {
            StepState never = new StepState.NeverStarted(refused.reason(), refused.message());
            return facts(number, TaskState.FAILED, never).withReason(refused.reason(), refused.message());
        }
        if (end instanceof TaskEnd.Ended ended && ended.isSuccess()) {
            return facts(number, TaskState.SUCCEEDED, terminated(ended, ""));
        }
        StepState state = end instanceof TaskEnd.Ended ended
                ? terminated(ended, said(number, ended))
                : cutOff(((TaskEnd.CutOff) end).begun());
        String message =
                cutShort.isEmpty() ? "" : folder.stop().map(Stop::message).orElse("");
        return facts(number, TaskState.FAILED, state).withReason(cutShort, message);
    }

    private TaskFacts facts(int number, TaskState state, StepState step) {
        return TaskFacts.of(number - 1, plan.step(number).name(), state)
                .withSteps(StepFacts.step(plan.step(number).program(), step));
    }

    private String said(int number, TaskEnd.Ended ended) throws IOException {
        String tail = new OutputLog(folder.path().resolve(RunFolder.LOG)).tail();
        if (!tail.isEmpty()) {
            return tail;
        }
        String how = ended.signal()
                .map(signal -> "was killed by signal " + signal)
                .orElseGet(() -> "ended with exit code " + ended.exitCode().orElse(0));
        return "%s %s and printed nothing".formatted(plan.title(number), how);
    }

    private static StepState terminated(TaskEnd.Ended ended, String message) {
        return new StepState.Terminated(ended.exitCode(), ended.signal(), "", message, Optional.of(ended.begun()));
    }

    private static StepState cutOff(Instant begun) {
        return new StepState.Terminated(Optional.empty(), Optional.empty(), "", "", Optional.of(begun));
    }
}
