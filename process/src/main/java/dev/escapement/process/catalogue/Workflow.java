package dev.escapement.process.catalogue;

import java.time.Duration;
import java.util.List;

/**
 * A workflow of the catalogue.
 *
 * @param version as written in the file; empty if there is none
 * @param description empty if there is none
 * @param parameters in the order of the file
 * @param tasks run one after the other until one fails
 * @param timeout of a whole run, unless the execution sets its own
 */
public record Workflow(
        String id,
        String version,
        String description,
        List<WorkflowParameter> parameters,
        List<WorkflowTask> tasks,
        Duration timeout) {

    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);

    public Workflow {
        parameters = List.copyOf(parameters);
        tasks = List.copyOf(tasks);
    }

    /** Returns id and version for messages. */
    public String label() {
        return version.isEmpty() ? id : id + " " + version;
    }
}
