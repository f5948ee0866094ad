package dev.escapement.kubernetes.run.tekton;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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
        LenientNode status = LenientNode.of(run.getStatus());
        List<String> tasks = new ArrayList<>();
        for (String part : List.of("tasks", "finally")) {
            status.at("pipelineSpec", part)
                    .items()
                    .forEach(task -> tasks.add(task.at("name").text()));
        }
        List<Child> children = status.at("childReferences").items().stream()
                .map(child -> new Child(
                        child.at("kind").text(),
                        child.at("name").text(),
                        child.at("pipelineTaskName").text()))
                .toList();
        List<LenientNode> skipped = status.at("skippedTasks").items();
        return new PipelineSummary(
                tasks,
                children,
                names(skipped),
                names(skipped.stream()
                        .filter(task ->
                                PIPELINE_SKIP_REASONS.contains(task.at("reason").text()))
                        .toList()));
    }

    private static Set<String> names(List<LenientNode> tasks) {
        return tasks.stream().map(task -> task.at("name").text()).collect(Collectors.toCollection(LinkedHashSet::new));
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
}
