package dev.escapement.kubernetes.run.tekton;

import dev.escapement.engine.execution.RunProgress;
import dev.escapement.kubernetes.run.tekton.PipelineSummary.Child;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Computes the progress of a PipelineRun. */
final class TektonProgress {

    private TektonProgress() {}

    /**
     * Returns the progress of a running PipelineRun. Each change costs a status write, so it is
     * {@link RunProgress#UNKNOWN} unless one task has finished and another one is running: before that there is nothing
     * new, and after the last task the run finishes at once.
     *
     * @param taskRuns finds a TaskRun by name
     */
    static RunProgress of(PipelineSummary summary, Function<String, Optional<TaskRun>> taskRuns) {
        List<String> finished = summary.tasks().stream()
                .filter(task -> areFinished(children(summary, task), taskRuns))
                .toList();
        List<String> open = summary.tasks().stream()
                .filter(task -> !finished.contains(task) && !summary.skipped().contains(task))
                .toList();
        Optional<String> started =
                open.stream().filter(task -> !children(summary, task).isEmpty()).findFirst();
        if (finished.isEmpty() || started.isEmpty()) {
            return RunProgress.UNKNOWN;
        }
        int done = summary.taskCount() - open.size();
        return new RunProgress(
                done, summary.taskCount(), "task %d of %d: %s".formatted(done + 1, summary.taskCount(), started.get()));
    }

    /** Returns the progress of a successful PipelineRun; skipped tasks count as done. */
    static RunProgress completed(PipelineSummary summary) {
        return new RunProgress(summary.taskCount(), summary.taskCount(), "");
    }

    private static List<Child> children(PipelineSummary summary, String task) {
        return summary.children().stream()
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
