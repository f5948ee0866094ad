package dev.escapement.kubernetes.run.tekton;

import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.TaskFacts;
import dev.escapement.governor.failure.TaskState;
import dev.escapement.kubernetes.run.KubernetesReasons;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.ReportedTime;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.run.WithdrawnRun;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads why a PipelineRun failed. */
record PipelineRunFailureReader(PodLookup podLookup) {

    private static final String PIPELINE_TASK_LABEL = "tekton.dev/pipelineTask";

    /**
     * @param taskRuns all TaskRuns of the PipelineRun. Its own child references are not enough: when Tekton cannot
     *     create one of several TaskRuns, it ends the run without listing the others
     */
    RunFacts read(PipelineRun run, List<TaskRun> taskRuns, Instant now) {
        SucceededCondition condition = SucceededCondition.of(run);
        PipelineSummary summary = PipelineSummary.of(run);
        RunEnd end = RunLabels.isExpired(run) ? RunEnd.TIMED_OUT : runEnd(condition.reason());
        var taskRunFacts =
                taskRuns.stream().map(task -> taskRunFacts(summary, task)).toList();
        if (taskRunFacts.stream().anyMatch(TaskRunFacts::podMissing)) {
            PodLookup.requireWatchCaughtUp(endedAt(run, condition), now);
        }
        Instant endedAt = endedAt(run, condition)
                .map(reported -> ReportedTime.within(reported, now))
                .orElse(now);
        RunFacts facts = RunFacts.of(end, endedAt)
                .withReasonTable(KubernetesReasons.TEKTON_TABLE)
                .withReason(condition.reason(), message(run, end, condition))
                .startedAt(new LenientNode(run.getStatus()).instant("startTime"))
                .tasks(summary.taskCount(), taskFacts(summary, taskRunFacts));
        boolean complete =
                taskRunFacts.stream().allMatch(TaskRunFacts::complete) && foundAllChildren(summary, taskRuns);
        return complete ? facts.asComplete() : facts;
    }

    static Optional<Instant> endedAt(PipelineRun run, SucceededCondition condition) {
        return new LenientNode(run.getStatus()).instant("completionTime").or(condition::since);
    }

    private TaskRunFacts taskRunFacts(PipelineSummary summary, TaskRun run) {
        String task = Optional.ofNullable(run.getMetadata().getLabels())
                .map(labels -> labels.get(PIPELINE_TASK_LABEL))
                .orElseGet(() -> summary.taskOf(run.getMetadata().getName()));
        return TaskRunFacts.of(summary.indexOf(task), task, run, podLookup);
    }

    /** Whether every child is a TaskRun that still exists. */
    private static boolean foundAllChildren(PipelineSummary summary, List<TaskRun> taskRuns) {
        var names = taskRuns.stream().map(run -> run.getMetadata().getName()).collect(Collectors.toSet());
        return summary.children().stream().allMatch(child -> child.isTaskRun() && names.contains(child.name()));
    }

    private static List<TaskFacts> taskFacts(PipelineSummary summary, List<TaskRunFacts> taskRunFacts) {
        Stream<TaskFacts> skipped = summary.skippedByPipeline().stream()
                .map(task -> TaskFacts.of(summary.indexOf(task), task, TaskState.SKIPPED));
        return Stream.concat(taskRunFacts.stream().map(TaskRunFacts::facts), skipped)
                .sorted(Comparator.comparing(TaskFacts::index))
                .toList();
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
                ? WithdrawnRun.cancellationMessage(run).orElse(condition.message())
                : condition.message();
    }
}
