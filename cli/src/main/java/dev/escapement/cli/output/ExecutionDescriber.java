package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Prints all about one execution: request, outcome with the reason, and suggested commands. */
public final class ExecutionDescriber {

    private final Terminal terminal;
    private final Instant now;

    public ExecutionDescriber(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    public void print(ExecutionJsonView execution) {
        new FieldList(terminal)
                .add("Execution", execution.namespace() + "/" + execution.name())
                .add("Workflow", execution.workflow() + versionSuffix(execution))
                .add("Target", execution.target())
                .add("Phase", execution.phase() + reasonSuffix(execution), TerminalStyle.ofPhase(execution.phase()))
                .add("Created", TimeFormat.formatInstant(execution.createdAt(), now))
                .add("Started", TimeFormat.formatInstant(execution.startedAt(), now))
                .add("Ended", TimeFormat.formatInstant(execution.endedAt(), now))
                .add(
                        "Took",
                        execution.duration(now).map(TimeFormat::formatDuration).orElse(""))
                .add("Tasks", taskProgress(execution))
                .add("Timeout", execution.text("/spec/executionConfig/timeout"))
                .add("Rationale", execution.text("/spec/rationale"))
                .add("Confidence", execution.text("/spec/confidence"))
                .add("Belongs to", execution.text("/spec/remediationRequestRef/name"))
                .add(
                        "Cancelled by",
                        execution
                                .document()
                                .at("/metadata/annotations")
                                .path("kubernaut.ai/cancelled-by")
                                .asText())
                .add("Run", execution.text("/status/pipelineRunRef/name"))
                .add("Uid", execution.uid())
                .addSection("Parameters", parameterLines(execution.document().at("/spec/parameters")))
                .addSection("Why", explanationLines(execution))
                .addSection("Next", ExecutionSuggestions.commandsFor(execution, now))
                .print();
    }

    private List<String> explanationLines(ExecutionJsonView execution) {
        List<String> lines = new ArrayList<>();
        addUnlessBlank(
                lines, "", execution.hasPhase("Failed") || execution.hasPhase("Skipped") ? execution.message() : "");
        if (execution.hasPhase("Failed")) {
            lines.add(
                    execution.failedDuringExecution()
                            ? "Some of it ran, or may have run: the target is blocked until a person clears it."
                            : "No part of it ran.");
            addUnlessBlank(lines, "Task: ", execution.text("/status/failureDetails/failedTaskName"));
            addUnlessBlank(lines, "Exit code: ", execution.text("/status/failureDetails/exitCode"));
            addUnlessBlank(lines, "", execution.text("/status/failureDetails/naturalLanguageSummary"));
            addUnlessBlank(lines, "Failures in a row: ", execution.text("/status/consecutiveFailures"));
        }
        execution.nextAllowed().ifPresent(at -> lines.add("Next allowed: " + TimeFormat.formatInstant(at, now)));
        JsonNode clearance = execution.document().at("/status/blockClearance");
        if (clearance.isObject()) {
            lines.add("Cleared by %s: %s"
                    .formatted(
                            clearance.path("clearedBy").asText(),
                            clearance.path("clearReason").asText()));
        }
        return lines;
    }

    private static void addUnlessBlank(List<String> lines, String prefix, String text) {
        if (!text.isBlank() && !lines.contains(text)) {
            lines.add(prefix + text);
        }
    }

    private static List<String> parameterLines(JsonNode object) {
        return object.properties().stream()
                .map(field -> field.getKey() + " = " + field.getValue().asText())
                .toList();
    }

    private static String versionSuffix(ExecutionJsonView execution) {
        String version = execution.text("/spec/workflowRef/version");
        return version.isEmpty() ? "" : " " + version;
    }

    private static String reasonSuffix(ExecutionJsonView execution) {
        return execution.reason().isEmpty() ? "" : " (" + execution.reason() + ")";
    }

    private static String taskProgress(ExecutionJsonView execution) {
        String message = execution.text("/status/pipelineRunStatus/message");
        return execution.progress().replace("/", " of ")
                + (execution.progress().isEmpty() || message.isEmpty() ? "" : ", " + message);
    }
}
