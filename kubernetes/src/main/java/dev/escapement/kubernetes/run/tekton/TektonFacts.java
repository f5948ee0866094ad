package dev.escapement.kubernetes.run.tekton;

import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.kubernetes.run.Pods;
import dev.escapement.kubernetes.run.RunLabels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Why a PipelineRun failed. */
record TektonFacts(Pods pods) {

    private static final String PIPELINE_TASK = "tekton.dev/pipelineTask";

    /**
     * Says why.
     *
     * @param found all TaskRuns of the PipelineRun as they are now. Its own list is not enough: when Tekton cannot
     *     create one of several at once, it ends the run without having listed the others
     */
    RunFacts of(PipelineRun run, List<TaskRun> found, Instant now) {
        Conditions condition = Conditions.of(run);
        Outline outline = Outline.of(run);
        RunEnd end = end(condition.reason());
        List<TaskRunFacts> seen =
                found.stream().map(task -> facts(outline, task)).toList();
        if (seen.stream().anyMatch(TaskRunFacts::podUnseen)) {
            Pods.mayBeToldYet(endedAt(run, condition), now);
        }
        RunFacts facts = RunFacts.of(end, endedAt(run, condition).orElse(now))
                .withReason(condition.reason(), message(run, end, condition))
                .tasks(outline.total(), tasks(outline, seen));
        RunFacts timed = Node.of(run.getStatus())
                .at("startTime")
                .instant()
                .map(facts::startedAt)
                .orElse(facts);
        boolean complete = seen.stream().allMatch(TaskRunFacts::complete) && hasAll(outline, found);
        return complete ? timed.asComplete() : timed;
    }

    static Optional<Instant> endedAt(PipelineRun run, Conditions condition) {
        return Node.of(run.getStatus()).at("completionTime").instant().or(condition::since);
    }

    private TaskRunFacts facts(Outline outline, TaskRun run) {
        String task = Optional.ofNullable(run.getMetadata().getLabels())
                .map(labels -> labels.get(PIPELINE_TASK))
                .orElseGet(() -> outline.taskOf(run.getMetadata().getName()));
        return TaskRunFacts.of(outline.index(task), task, run, pods);
    }

    /** Nothing that was made for a task is gone, or of a kind that cannot be looked into. */
    private static boolean hasAll(Outline outline, List<TaskRun> found) {
        Set<String> names =
                found.stream().map(run -> run.getMetadata().getName()).collect(Collectors.toSet());
        return outline.children().stream().allMatch(child -> child.isTaskRun() && names.contains(child.name()));
    }

    private static List<TaskFacts> tasks(Outline outline, List<TaskRunFacts> seen) {
        List<TaskFacts> tasks =
                new ArrayList<>(seen.stream().map(TaskRunFacts::facts).toList());
        outline.notNeeded().forEach(task -> tasks.add(TaskFacts.of(outline.index(task), task, TaskState.SKIPPED)));
        tasks.sort(Comparator.comparing(TaskFacts::index));
        return tasks;
    }

    private static RunEnd end(String reason) {
        return switch (reason) {
            case "Cancelled" -> RunEnd.CANCELLED;
            case "PipelineRunTimeout" -> RunEnd.TIMED_OUT;
            default -> RunEnd.FAILED;
        };
    }

    private static String message(PipelineRun run, RunEnd end, Conditions condition) {
        return end == RunEnd.CANCELLED
                ? RunLabels.cancelledBy(run).map(by -> "cancelled by " + by).orElse(condition.message())
                : condition.message();
    }
}
