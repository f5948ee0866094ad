package dev.escapement.process.catalogue;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One task of a workflow.
 *
 * @param name unique in its workflow
 * @param command the program and its arguments, passed on as they are: no shell looks at them
 * @param timeout how long it may take; empty if only the workflow's own limit counts
 * @param workingDirectory where it runs, absolute; by default the folder of the workflow's file
 */
public record WorkflowTask(String name, List<String> command, Optional<Duration> timeout, Path workingDirectory) {

    /** A command has a program. */
    public WorkflowTask {
        requireNonNull(name, "name is null");
        requireNonNull(timeout, "timeout is null");
        requireNonNull(workingDirectory, "workingDirectory is null");
        command = List.copyOf(command);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("task " + name + " has no command: name a program");
        }
    }

    /** The program, as it was written. */
    public String program() {
        return command.get(0);
    }
}
