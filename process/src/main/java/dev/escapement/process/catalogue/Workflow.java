package dev.escapement.process.catalogue;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/**
 * What can be run.
 *
 * @param id what executions ask for
 * @param version as it was written; empty if the file does not say
 * @param description for people; empty if there is none
 * @param parameters in the order of the file
 * @param tasks run one after the other, until one fails
 * @param timeout how long all of it may take; an execution's own timeout takes its place
 */
public record Workflow(
        String id,
        String version,
        String description,
        List<WorkflowParameter> parameters,
        List<WorkflowTask> tasks,
        Duration timeout) {

    /** How long a workflow may take if its file does not say. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);

    /** Copies the lists. */
    public Workflow {
        requireNonNull(id, "id is null");
        requireNonNull(version, "version is null");
        requireNonNull(description, "description is null");
        requireNonNull(timeout, "timeout is null");
        parameters = List.copyOf(parameters);
        tasks = List.copyOf(tasks);
    }

    /** Id and version, for messages. */
    public String label() {
        return version.isEmpty() ? id : id + " " + version;
    }
}
