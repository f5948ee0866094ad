package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that a person wants to know about one execution: what, on what, what became of it, why, and what to do now. */
public final class ExecutionDescriber {

    private final Terminal terminal;
    private final Instant now;

    public ExecutionDescriber(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    public void print(ExecutionJsonView execution) {
        FieldList facts = new FieldList(terminal)
                .add("Execution", execution.namespace() + "/" + execution.name())
                .add("Workflow", execution.workflow() + versionSuffix(execution))
                .add("Target", execution.target())
                .add("Phase", execution.phase() + reasonSuffix(execution), TerminalStyle.ofPhase(execution.phase()))
                .add("Asked for", formatTime(execution.createdAt()))
                .add("Started", formatTime(execution.startedAt()))
                .add("Ended", formatTime(execution.endedAt()))
                .add(
                        "Took",
                        execution
                                .startedAt()
                                .flatMap(start -> execution.duration(now))
                                .map(TimeFormat::formatDuration)
                                .orElse(""))
                .add("Tasks", taskProgress(execution))
                .add("Timeout", execution.text("/spec/executionConfig/timeout"))
                .add("Rationale", execution.text("/spec/rationale"))
                .add("Confidence", execution.text("/spec/confidence"))
                .add("Belongs to", execution.text("/spec/remediationRequestRef/name"))
                .add(
                        "Cancelled by",
                        execution
                                .document()
                                .path("metadata")
                                .path("annotations")
                                .path("kubernaut.ai/cancelled-by")
                                .asText())
                .add("Run", execution.text("/status/pipelineRunRef/name"))
                .add("Uid", execution.uid());
        facts.addSection("Parameters", parameterLines(execution.document().at("/spec/parameters")));
        facts.addSection("Why", explanationLines(execution));
        facts.addSection("Next", ExecutionSuggestions.commandsFor(execution, now));
        facts.print();
    }

    private List<String> explanationLines(ExecutionJsonView execution) {
        List<String> why = new ArrayList<>();
        addUnlessBlank(
                why, "", execution.hasPhase("Failed") || execution.hasPhase("Skipped") ? execution.message() : "");
        if (execution.hasPhase("Failed")) {
            addUnlessBlank(
                    why,
                    "",
                    execution.failedDuringExecution()
                            ? "Some of it had run, or may have: the target is blocked until a person clears it."
                            : "Nothing of it ran.");
            addUnlessBlank(why, "Task: ", execution.text("/status/failureDetails/failedTaskName"));
            addUnlessBlank(why, "Exit code: ", execution.text("/status/failureDetails/exitCode"));
            addUnlessBlank(why, "", execution.text("/status/failureDetails/naturalLanguageSummary"));
            addUnlessBlank(why, "Failures in a row: ", execution.text("/status/consecutiveFailures"));
        }
        execution.nextAllowed().ifPresent(at -> why.add("Next allowed: " + TimeFormat.formatInstant(at, now)));
        JsonNode clearance = execution.document().at("/status/blockClearance");
        if (clearance.isObject()) {
            why.add("Cleared by %s: %s"
                    .formatted(
                            clearance.path("clearedBy").asText(),
                            clearance.path("clearReason").asText()));
        }
        return why;
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

    private String formatTime(Optional<Instant> instant) {
        return instant.map(at -> TimeFormat.formatInstant(at, now)).orElse("");
    }
}
