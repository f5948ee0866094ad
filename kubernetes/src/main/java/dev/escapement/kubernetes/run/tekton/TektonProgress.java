package dev.escapement.kubernetes.run.tekton;

import dev.escapement.engine.execution.RunProgress;
import dev.escapement.kubernetes.run.tekton.PipelineSummary.Child;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** How far a PipelineRun is. */
final class TektonProgress {

    private TektonProgress() {}

    /**
     * Of one that goes on. Telling costs a write, so there is something to tell only when a task is done and another
     * one has begun: before that it is nothing new, and after the last one the end of the run follows at once.
     *
     * @param taskRuns what is known of a TaskRun
     */
    static RunProgress of(PipelineSummary outline, Function<String, Optional<TaskRun>> taskRuns) {
        List<String> ended = outline.tasks().stream()
                .filter(task -> areFinished(children(outline, task), taskRuns))
                .toList();
        List<String> open = outline.tasks().stream()
                .filter(task -> !ended.contains(task) && !outline.skipped().contains(task))
                .toList();
        Optional<String> begun =
                open.stream().filter(task -> !children(outline, task).isEmpty()).findFirst();
        if (ended.isEmpty() || begun.isEmpty()) {
            return RunProgress.UNKNOWN;
        }
        int done = outline.taskCount() - open.size();
        return new RunProgress(
                done, outline.taskCount(), "task %d of %d: %s".formatted(done + 1, outline.taskCount(), begun.get()));
    }

    /** Of one that ended well: what the pipeline did not need is done too. */
    static RunProgress completed(PipelineSummary outline) {
        return new RunProgress(outline.taskCount(), outline.taskCount(), "");
    }

    private static List<Child> children(PipelineSummary outline, String task) {
        return outline.children().stream()
                .filter(child -> child.task().equals(task))
                .toList();
    }

    private static boolean areFinished(List<Child> children, Function<String, Optional<TaskRun>> taskRuns) {
        return !children.isEmpty()
                && children.stream()
                        .allMatch(child -> child.isTaskRun()
                                && taskRuns.apply(child.name())
                                        .map(SucceededCondition::of)
                                        .filter(SucceededCondition::isFinished)
                                        .isPresent());
    }
}
