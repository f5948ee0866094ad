package dev.escapement.kubernetes.run.tekton;

import dev.escapement.engine.execution.RunProgress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tasks of a PipelineRun and their state, as its status gives them.
 *
 * @param tasks the names of its tasks in the order of the pipeline, those of {@code finally} last
 * @param children the objects that Tekton created for them
 * @param skipped the tasks that will not run
 * @param skippedByPipeline those of them that a condition of the pipeline skipped
 */
record PipelineSummary(List<String> tasks, List<Child> children, Set<String> skipped, Set<String> skippedByPipeline) {

    private static final Set<String> PIPELINE_SKIP_REASONS =
            Set.of("When Expressions evaluated to false", "Parent Tasks were skipped");

    /** The object of a task; a task with a matrix has several. */
    record Child(String kind, String name, String task) {

        boolean isTaskRun() {
            return kind.equals("TaskRun");
        }
    }

    static PipelineSummary of(PipelineRun run) {
        LenientNode status = new LenientNode(run.getStatus());
        List<LenientNode> skipped = status.items("skippedTasks");
        return new PipelineSummary(
                Stream.of("tasks", "finally")
                        .flatMap(part -> status.items("pipelineSpec", part).stream())
                        .map(task -> task.text("name"))
                        .toList(),
                status.items("childReferences").stream()
                        .map(child -> new Child(child.text("kind"), child.text("name"), child.text("pipelineTaskName")))
                        .toList(),
                names(skipped.stream()),
                names(skipped.stream().filter(task -> PIPELINE_SKIP_REASONS.contains(task.text("reason")))));
    }

    private static Set<String> names(Stream<LenientNode> tasks) {
        return tasks.map(task -> task.text("name")).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the task of an object; the name of the object if its task is unknown. */
    String taskOf(String name) {
        return children.stream()
                .filter(child -> child.name().equals(name))
                .map(Child::task)
                .findFirst()
                .orElse(name);
    }

    int taskCount() {
        return tasks.size();
    }

    /** Returns the position of a task; after all others if the pipeline does not list it. */
    int indexOf(String task) {
        int index = tasks.indexOf(task);
        return index < 0 ? tasks.size() : index;
    }

    /**
     * Returns the progress of a running PipelineRun, with Tekton's reason and message. Each change costs a status
     * write, so it is {@link RunProgress#UNKNOWN} while no task is running: Tekton resolves the pipeline, creates the
     * next task, or finishes the run, and each usually takes less than a second.
     *
     * @param condition of the run
     * @param taskRuns finds a TaskRun by name
     */
    RunProgress progress(SucceededCondition condition, Function<String, Optional<TaskRun>> taskRuns) {
        var finished = tasks.stream().filter(task -> isFinished(task, taskRuns)).toList();
        List<String> open = tasks.stream()
                .filter(task -> !finished.contains(task) && !skipped.contains(task))
                .toList();
        var started = open.stream().filter(task -> !childrenOf(task).isEmpty()).findFirst();
        if (started.isEmpty()) {
            return RunProgress.UNKNOWN;
        }
        int done = taskCount() - open.size();
        String current = "task %d of %d: %s".formatted(done + 1, taskCount(), started.get());
        String message = condition.message().isEmpty() ? current : current + "; Tekton: " + condition.message();
        return new RunProgress(done, taskCount(), message, condition.reason());
    }

    /** Returns the progress of a PipelineRun without a task yet, with Tekton's reason and message. */
    RunProgress progressBeforeFirstTask(SucceededCondition condition) {
        return new RunProgress(0, taskCount(), condition.message(), condition.reason());
    }

    /** Returns the progress of a successful PipelineRun; skipped tasks count as done. */
    RunProgress completedProgress() {
        return new RunProgress(taskCount(), taskCount(), "");
    }

    private List<Child> childrenOf(String task) {
        return children.stream().filter(child -> child.task().equals(task)).toList();
    }

    private boolean isFinished(String task, Function<String, Optional<TaskRun>> taskRuns) {
        List<Child> objects = childrenOf(task);
        return !objects.isEmpty()
                && objects.stream()
                        .allMatch(child -> child.isTaskRun()
                                && taskRuns.apply(child.name())
                                        .filter(run ->
                                                SucceededCondition.of(run).isFinished())
                                        .isPresent());
    }
}
