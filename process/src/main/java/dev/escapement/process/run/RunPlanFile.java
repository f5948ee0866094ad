package dev.escapement.process.run;

import dev.escapement.common.Json;
import dev.escapement.process.catalogue.WorkflowTask;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads and writes the plan file of a run. Its first line is JSON for the server, and a comment for the shell; the rest
 * is a shell script for the supervisor. Values are quoted and UTF-8, so that they do not depend on the locale.
 */
public final class RunPlanFile {

    private static final String COMMENT_PREFIX = "# ";

    private RunPlanFile() {}

    public static byte[] write(RunPlan plan, List<WorkflowTask> tasks, Map<String, String> environment) {
        StringBuilder text =
                new StringBuilder(COMMENT_PREFIX).append(Json.write(plan)).append('\n');
        text.append("tasks=").append(plan.taskCount()).append('\n');
        text.append("print_header() {\n    case $1 in\n");
        for (int number = 1; number <= plan.taskCount(); number++) {
            appendCase(text, number, "echo " + quote("--- " + plan.taskTitle(number)));
        }
        text.append("    esac\n}\nrun_task() {\n    case $1 in\n");
        for (int number = 1; number <= plan.taskCount(); number++) {
            WorkflowTask task = tasks.get(number - 1);
            String directory = quote(task.workingDirectory().toString());
            appendCase(
                    text,
                    number,
                    "become " + directory + " "
                            + task.command().stream().map(RunPlanFile::quote).collect(Collectors.joining(" ")));
        }
        text.append("    esac\n}\nset_environment() {\n");
        environment.forEach((name, value) -> text.append("    export " + name + "=" + quote(value) + "\n"));
        return text.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void appendCase(StringBuilder text, int number, String command) {
        text.append("    " + number + ") " + command + " ;;\n");
    }

    /** Reads a plan; empty if the file is damaged, as it may be after a power failure. */
    static Optional<RunPlan> read(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line = Optional.ofNullable(reader.readLine()).orElse("");
            return line.startsWith(COMMENT_PREFIX)
                    ? Optional.of(Json.read(line.substring(COMMENT_PREFIX.length()), RunPlan.class))
                    : Optional.empty();
        } catch (IllegalArgumentException | CharacterCodingException damaged) {
            return Optional.empty();
        }
    }

    /** @throws IllegalArgumentException if the text has a NUL character, which no argument or variable can contain */
    private static String quote(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a NUL character cannot be passed to a process");
        }
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
