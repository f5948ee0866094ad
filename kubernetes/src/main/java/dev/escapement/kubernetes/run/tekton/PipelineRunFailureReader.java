package dev.escapement.kubernetes.run.tekton;

import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.RunLabels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Why a PipelineRun failed. */
record PipelineRunFailureReader(PodLookup podLookup) {

    private static final String PIPELINE_TASK_LABEL = "tekton.dev/pipelineTask";

    /**
     * Says why.
     *
     * @param found all TaskRuns of the PipelineRun as they are now. Its own list is not enough: when Tekton cannot
     *     create one of several at once, it ends the run without having listed the others
     */
    RunFacts read(PipelineRun run, List<TaskRun> found, Instant now) {
        SucceededCondition condition = SucceededCondition.of(run);
        PipelineSummary outline = PipelineSummary.of(run);
        RunEnd end = runEnd(condition.reason());
        List<TaskRunFacts> seen =
                found.stream().map(task -> taskRunFacts(outline, task)).toList();
        if (seen.stream().anyMatch(TaskRunFacts::podMissing)) {
            PodLookup.requireWatchCaughtUp(endedAt(run, condition), now);
        }
        RunFacts facts = RunFacts.of(end, endedAt(run, condition).orElse(now))
                .withReason(condition.reason(), message(run, end, condition))
                .tasks(outline.taskCount(), taskFacts(outline, seen));
        RunFacts timed = LenientNode.of(run.getStatus())
                .at("startTime")
                .instant()
                .map(facts::startedAt)
                .orElse(facts);
        boolean complete = seen.stream().allMatch(TaskRunFacts::complete) && foundAllChildren(outline, found);
        return complete ? timed.asComplete() : timed;
    }

    static Optional<Instant> endedAt(PipelineRun run, SucceededCondition condition) {
        return LenientNode.of(run.getStatus()).at("completionTime").instant().or(condition::since);
    }

    private TaskRunFacts taskRunFacts(PipelineSummary outline, TaskRun run) {
        String task = Optional.ofNullable(run.getMetadata().getLabels())
                .map(labels -> labels.get(PIPELINE_TASK_LABEL))
                .orElseGet(() -> outline.taskOf(run.getMetadata().getName()));
        return TaskRunFacts.of(outline.indexOf(task), task, run, podLookup);
    }

    /** Nothing that was made for a task is gone, or of a kind that cannot be looked into. */
    private static boolean foundAllChildren(PipelineSummary outline, List<TaskRun> found) {
        Set<String> names =
                found.stream().map(run -> run.getMetadata().getName()).collect(Collectors.toSet());
        return outline.children().stream().allMatch(child -> child.isTaskRun() && names.contains(child.name()));
    }

    private static List<TaskFacts> taskFacts(PipelineSummary outline, List<TaskRunFacts> seen) {
        List<TaskFacts> tasks =
                new ArrayList<>(seen.stream().map(TaskRunFacts::facts).toList());
        outline.skippedByPipeline()
                .forEach(task -> tasks.add(TaskFacts.of(outline.indexOf(task), task, TaskState.SKIPPED)));
        tasks.sort(Comparator.comparing(TaskFacts::index));
        return tasks;
    }

    private static RunEnd runEnd(String reason) {
        return switch (reason) {
            case "Cancelled" -> RunEnd.CANCELLED;
            case "PipelineRunTimeout" -> RunEnd.TIMED_OUT;
            default -> RunEnd.FAILED;
        };
    }

    private static String message(PipelineRun run, RunEnd end, SucceededCondition condition) {
        return end == RunEnd.CANCELLED
                ? RunLabels.cancelledBy(run).map(by -> "cancelled by " + by).orElse(condition.message())
                : condition.message();
    }
}
