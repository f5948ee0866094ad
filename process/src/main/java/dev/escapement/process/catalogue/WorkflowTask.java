package dev.escapement.process.catalogue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
