package dev.escapement.process.os;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The environment that tasks inherit, and the programs that they find in it.
 *
 * @param variables by name, always with a {@code PATH}: folders separated by colons
 */
public record TaskEnvironment(Map<String, String> variables) {

    private static final Set<String> INHERITED_VARIABLES = Set.of("PATH", "HOME", "LANG", "TZ", "TMPDIR");
    private static final String DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final Pattern COLON = Pattern.compile(":");

    /** Why a program cannot be started. */
    public record ProgramProblem(String reason, String message) {}

    /** Selects the variables of the server's environment that tasks inherit; the others may be secrets. */
    public static TaskEnvironment of(Map<String, String> environment) {
        Map<String, String> inherited = new TreeMap<>(environment);
        inherited.keySet().retainAll(INHERITED_VARIABLES);
        inherited.putIfAbsent("PATH", DEFAULT_PATH);
        return new TaskEnvironment(inherited);
    }

    /** Checks whether a program can be started; empty if it can. */
    public Optional<ProgramProblem> check(String program, Path folder) {
        if (!Files.isDirectory(folder)) {
            String advice = "create it, or correct workingDirectory";
            return problem("NotExecutable", "the working directory " + folder + " is not a folder: " + advice);
        }
        if (!program.contains("/")) {
            String advice = "install it, or correct the command";
            return find(program).isPresent()
                    ? Optional.empty()
                    : problem("CommandNotFound", "there is no program " + program + " on the server's PATH: " + advice);
        }
        Optional<Path> file = resolve(folder, program).filter(Files::exists);
        if (file.isEmpty()) {
            return problem("CommandNotFound", "there is no %s in %s".formatted(program, folder));
        }
        String message = "%s in %s is not an executable file: set its x bits".formatted(program, folder);
        return isExecutable(file.get()) ? Optional.empty() : problem("NotExecutable", message);
    }

    private static Optional<ProgramProblem> problem(String reason, String message) {
        return Optional.of(new ProgramProblem(reason, message));
    }

    private static boolean isExecutable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
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
            return Arrays.stream(COLON.split(variables.getOrDefault("PATH", ""), -1))
                    .map(folder -> Path.of(folder.isEmpty() ? "." : folder).resolve(program))
                    .filter(TaskEnvironment::isExecutable)
                    .findFirst();
        } catch (InvalidPathException invalid) {
            return Optional.empty();
        }
    }
}
