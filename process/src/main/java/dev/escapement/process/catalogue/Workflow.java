package dev.escapement.process.catalogue;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

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

    /** By id, then by version part by part, numbers numerically: 1.9 is before 1.10. */
    static final Comparator<Workflow> ORDER = Comparator.comparing(Workflow::id)
            .thenComparing(
                    Workflow::versionParts, (left, right) -> Arrays.compare(left, right, Workflow::compareVersionPart))
            .thenComparing(Workflow::version);

    /**
     * A task of a workflow.
     *
     * @param name unique in its workflow
     * @param command program and arguments, passed on without a shell
     * @param timeout empty if only the timeout of the run applies
     * @param workingDirectory absolute; by default the folder of the workflow file
     */
    public record WorkflowTask(String name, List<String> command, Optional<Duration> timeout, Path workingDirectory) {

        /** @throws IllegalArgumentException if the command is empty */
        public WorkflowTask {
            command = List.copyOf(command);
            if (command.isEmpty()) {
                throw new IllegalArgumentException("task " + name + " has no command: add a program");
            }
        }

        public String program() {
            return command.get(0);
        }
    }

    public Workflow {
        parameters = List.copyOf(parameters);
        tasks = List.copyOf(tasks);
    }

    /** Returns id and version for messages. */
    public String label() {
        return version.isEmpty() ? id : id + " " + version;
    }

    private String[] versionParts() {
        return version.split("[.+_-]", -1);
    }

    private static int compareVersionPart(String left, String right) {
        boolean numbers = isNumber(left) && isNumber(right);
        return numbers ? new BigInteger(left).compareTo(new BigInteger(right)) : left.compareTo(right);
    }

    private static boolean isNumber(String part) {
        return !part.isEmpty() && part.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }
}
