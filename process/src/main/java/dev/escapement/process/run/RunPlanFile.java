package dev.escapement.process.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.common.Json;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.WorkflowTask;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads and writes the plan file of a run. Its first line is JSON for the server, and a comment for the shell; the rest
 * is a shell script for the supervisor. Values are quoted and UTF-8, so that they do not depend on the locale.
 */
public final class RunPlanFile {

    private static final String COMMENT_PREFIX = "# ";

    private RunPlanFile() {}

    public static byte[] write(RunPlan plan, List<WorkflowTask> tasks, Map<String, String> environment) {
        StringBuilder text =
                new StringBuilder(COMMENT_PREFIX).append(headerJson(plan)).append('\n');
        text.append("tasks=").append(plan.taskCount()).append('\n');
        text.append("print_header() {\n    case $1 in\n");
        for (int number = 1; number <= plan.taskCount(); number++) {
            appendCase(text, number, "echo " + ShellQuoter.quote("--- " + plan.taskTitle(number)));
        }
        text.append("    esac\n}\nrun_task() {\n    case $1 in\n");
        for (int number = 1; number <= plan.taskCount(); number++) {
            WorkflowTask task = tasks.get(number - 1);
            String directory = ShellQuoter.quote(task.workingDirectory().toString());
            appendCase(text, number, "become " + directory + " " + ShellQuoter.quote(task.command()));
        }
        text.append("    esac\n}\nset_environment() {\n");
        environment.forEach((name, value) -> text.append("    export ")
                .append(name)
                .append('=')
                .append(ShellQuoter.quote(value))
                .append('\n'));
        return text.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void appendCase(StringBuilder text, int number, String command) {
        text.append("    ").append(number).append(") ").append(command).append(" ;;\n");
    }

    private static String headerJson(RunPlan plan) {
        ObjectNode json = Json.mapper().createObjectNode();
        json.put("uid", plan.uid());
        json.put("namespace", plan.execution().namespace());
        json.put("name", plan.execution().name());
        json.put("execution", plan.execution().uid());
        json.put("workflow", plan.workflow());
        json.put("timeout", plan.timeout().toString());
        plan.tasks().forEach(task -> {
            ObjectNode node = json.withArray("tasks").addObject();
            node.put("name", task.name());
            node.put("program", task.program());
            task.timeout().ifPresent(timeout -> node.put("timeout", timeout.toString()));
        });
        return json.toString();
    }

    /** Reads a plan; empty if the file is damaged, as it may be after a power failure. */
    static Optional<RunPlan> read(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line = Optional.ofNullable(reader.readLine()).orElse("");
            return line.startsWith(COMMENT_PREFIX)
                    ? Optional.of(parseHeader(line.substring(COMMENT_PREFIX.length())))
                    : Optional.empty();
        } catch (JsonProcessingException
                | IllegalArgumentException
                | DateTimeParseException
                | CharacterCodingException damaged) {
            return Optional.empty();
        }
    }

    private static RunPlan parseHeader(String header) throws JsonProcessingException {
        JsonNode json = Json.mapper().readTree(header);
        List<RunPlan.PlannedTask> tasks = new ArrayList<>();
        for (JsonNode task : json.path("tasks")) {
            Optional<Duration> timeout = task.has("timeout")
                    ? Optional.of(Duration.parse(task.path("timeout").asText()))
                    : Optional.empty();
            tasks.add(new RunPlan.PlannedTask(
                    task.path("name").asText(), task.path("program").asText(), timeout));
        }
        ExecutionRef execution = new ExecutionRef(
                json.path("namespace").asText(),
                json.path("name").asText(),
                json.path("execution").asText());
        Duration timeout = Duration.parse(json.path("timeout").asText());
        return new RunPlan(
                json.path("uid").asText(), execution, json.path("workflow").asText(), timeout, tasks);
    }
}
