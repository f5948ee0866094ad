package dev.escapement.process.os;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds executable programs on a search path.
 *
 * @param searchPath folders separated by colons
 */
public record ProgramLookup(String searchPath) {

    private static final Pattern COLON = Pattern.compile(":");

    /** Why a program cannot be started. */
    public record ProgramProblem(String reason, String message) {}

    /** Checks whether a program can be started; empty if it can. */
    public Optional<ProgramProblem> check(String program, Path workingDirectory) {
        if (!Files.isDirectory(workingDirectory)) {
            return Optional.of(new ProgramProblem(
                    "NotExecutable",
                    "the working directory %s is not a folder: create it, or correct workingDirectory"
                            .formatted(workingDirectory)));
        }
        if (!program.contains("/")) {
            return find(program).isPresent()
                    ? Optional.empty()
                    : Optional.of(new ProgramProblem(
                            "CommandNotFound",
                            "there is no program %s on the server's PATH: install it, or correct the command"
                                    .formatted(program)));
        }
        Optional<Path> given = resolve(workingDirectory, program);
        Path file = given.orElse(workingDirectory);
        if (given.isEmpty() || !Files.exists(file)) {
            return Optional.of(
                    new ProgramProblem("CommandNotFound", "there is no %s in %s".formatted(program, workingDirectory)));
        }
        return Files.isRegularFile(file) && Files.isExecutable(file)
                ? Optional.empty()
                : Optional.of(new ProgramProblem(
                        "NotExecutable",
                        "%s in %s is not an executable file: set its x bits".formatted(program, workingDirectory)));
    }

    /** Returns empty if the name cannot be encoded in the system's locale. */
    private static Optional<Path> resolve(Path folder, String name) {
        try {
            return Optional.of(folder.resolve(name));
        } catch (InvalidPathException invalid) {
            return Optional.empty();
        }
    }

    /** Finds a program whose name has no slash. */
    public Optional<Path> find(String program) {
        try {
            return Arrays.stream(COLON.split(searchPath, -1))
                    .map(folder -> Path.of(folder.isEmpty() ? "." : folder).resolve(program))
                    .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                    .findFirst();
        } catch (InvalidPathException invalid) {
            return Optional.empty();
        }
    }
}
