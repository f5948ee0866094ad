package dev.escapement.process.run;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.escapement.common.Json;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Workflow.WorkflowTask;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the server knows of a run: its execution, tasks and timeouts. Stored as JSON in the run's folder.
 *
 * @param uid uid of the run
 * @param namespace of the execution
 * @param name of the execution
 * @param executionUid uid of the execution
 * @param workflow id and version, for messages
 * @param isoTimeout of the whole run, in ISO-8601
 * @param tasks in order, at least one
 * @param workflowId id of the workflow; null in a plan of an earlier version
 * @param target of the execution, as written; null in a plan of an earlier version
 */
public record RunPlan(
        String uid,
        String namespace,
        String name,
        @JsonProperty("execution") String executionUid,
        String workflow,
        @JsonProperty("timeout") String isoTimeout,
        List<PlannedTask> tasks,
        @Nullable String workflowId,
        @Nullable String target) {

    private static final String COMMENT_PREFIX = "# ";

    /**
     * A task of the run.
     *
     * @param isoTimeout in ISO-8601; null if only the timeout of the run applies
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PlannedTask(
            String name,
            String program,
            @JsonProperty("timeout") @Nullable String isoTimeout) {

        public PlannedTask {
            requireNonNull(name, "name of a task is null");
            requireNonNull(program, "program of a task is null");
        }

        public static PlannedTask of(WorkflowTask task) {
            String timeout = task.timeout().map(Duration::toString).orElse(null);
            return new PlannedTask(task.name(), task.program(), timeout);
        }

        public Optional<Duration> timeout() {
            return Optional.ofNullable(isoTimeout).map(Duration::parse);
        }
    }

    /** Throws if the document that it is read from lacks what the server cannot do without. */
    public RunPlan {
        requireNonNull(uid, "uid is null");
        requireNonNull(executionUid, "executionUid is null");
        Duration.parse(isoTimeout);
        tasks = List.copyOf(tasks);
    }

    public ExecutionRef execution() {
        return new ExecutionRef(namespace, name, executionUid);
    }

    public Duration timeout() {
        return Duration.parse(isoTimeout);
    }

    public int taskCount() {
        return tasks.size();
    }

    /** Returns the progress after that many tasks have started; before the start the first task is the current one. */
    public RunProgress progress(int startedTasks) {
        int current = Math.max(1, startedTasks);
        return new RunProgress(current - 1, taskCount(), taskTitle(current));
    }

    /** Returns a title such as {@code task 1 of 3: drain}; numbers start at 1. */
    public String taskTitle(int number) {
        return "task %d of %d: %s".formatted(number, taskCount(), task(number).name());
    }

    public PlannedTask task(int number) {
        return tasks.get(number - 1);
    }

    /**
     * Returns the plan file. Its first line is JSON for the server, and a comment for the shell; the rest is a shell
     * script for the supervisor. Values are quoted and UTF-8, so that they do not depend on the locale.
     */
    public byte[] toFile(List<WorkflowTask> workflowTasks, Map<String, String> environment) {
        StringBuilder text =
                new StringBuilder(COMMENT_PREFIX).append(Json.write(this)).append('\n');
        text.append("tasks=").append(taskCount()).append('\n');
        text.append("print_header() {\n    case $1 in\n");
        for (int number = 1; number <= taskCount(); number++) {
            appendCase(text, number, "echo " + quote("--- " + taskTitle(number)));
        }
        text.append("    esac\n}\nrun_task() {\n    case $1 in\n");
        for (int number = 1; number <= taskCount(); number++) {
            WorkflowTask task = workflowTasks.get(number - 1);
            Stream<String> words =
                    Stream.concat(Stream.of(task.workingDirectory().toString()), task.command().stream());
            appendCase(text, number, "become " + words.map(RunPlan::quote).collect(Collectors.joining(" ")));
        }
        text.append("    esac\n}\nset_environment() {\n");
        environment.forEach((name, value) -> text.append("    export " + name + "=" + quote(value) + "\n"));
        return text.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void appendCase(StringBuilder text, int number, String command) {
        text.append("    " + number + ") " + command + " ;;\n");
    }

    /** Reads a plan; empty if the file is damaged, as it may be after a power failure. */
    static Optional<RunPlan> readFile(Path file) throws IOException {
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
