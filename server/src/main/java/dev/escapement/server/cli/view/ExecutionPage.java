package dev.escapement.server.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
import dev.escapement.server.cli.text.Tone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that a person wants to know about one execution: what, on what, what became of it, why, and what to do now. */
public final class ExecutionPage {

    private final Terminal terminal;
    private final Instant now;

    public ExecutionPage(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    public void print(ExecutionView execution) {
        Facts facts = new Facts(terminal)
                .add("Execution", execution.namespace() + "/" + execution.name())
                .add("Workflow", execution.workflow() + version(execution))
                .add("Target", execution.target())
                .add("Phase", execution.phase() + reason(execution), Tone.of(execution.phase()))
                .add("Asked for", time(execution.createdAt()))
                .add("Started", time(execution.startedAt()))
                .add("Ended", time(execution.endedAt()))
                .add(
                        "Took",
                        execution
                                .startedAt()
                                .flatMap(start -> execution.duration(now))
                                .map(Times::about)
                                .orElse(""))
                .add("Tasks", tasks(execution))
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
        facts.section("Parameters", fields(execution.document().at("/spec/parameters")));
        facts.section("Why", why(execution));
        facts.section("Next", NextSteps.of(execution, now));
        facts.print();
    }

    private List<String> why(ExecutionView execution) {
        List<String> why = new ArrayList<>();
        add(why, "", execution.is("Failed") || execution.is("Skipped") ? execution.message() : "");
        if (execution.is("Failed")) {
            add(
                    why,
                    "",
                    execution.failedDuring()
                            ? "Some of it had run, or may have: the target is blocked until a person clears it."
                            : "Nothing of it ran.");
            add(why, "Task: ", execution.text("/status/failureDetails/failedTaskName"));
            add(why, "Exit code: ", execution.text("/status/failureDetails/exitCode"));
            add(why, "", execution.text("/status/failureDetails/naturalLanguageSummary"));
            add(why, "Failures in a row: ", execution.text("/status/consecutiveFailures"));
        }
        execution.nextAllowed().ifPresent(at -> why.add("Next allowed: " + Times.at(at, now)));
        JsonNode clearance = execution.document().at("/status/blockClearance");
        if (clearance.isObject()) {
            why.add("Cleared by %s: %s"
                    .formatted(
                            clearance.path("clearedBy").asText(),
                            clearance.path("clearReason").asText()));
        }
        return why;
    }

    private static void add(List<String> lines, String prefix, String text) {
        if (!text.isBlank() && !lines.contains(text)) {
            lines.add(prefix + text);
        }
    }

    private static List<String> fields(JsonNode object) {
        return object.properties().stream()
                .map(field -> field.getKey() + " = " + field.getValue().asText())
                .toList();
    }

    private static String version(ExecutionView execution) {
        String version = execution.text("/spec/workflowRef/version");
        return version.isEmpty() ? "" : " " + version;
    }

    private static String reason(ExecutionView execution) {
        return execution.reason().isEmpty() ? "" : " (" + execution.reason() + ")";
    }

    private static String tasks(ExecutionView execution) {
        String message = execution.text("/status/pipelineRunStatus/message");
        return execution.progress().replace("/", " of ")
                + (execution.progress().isEmpty() || message.isEmpty() ? "" : ", " + message);
    }

    private String time(Optional<Instant> instant) {
        return instant.map(at -> Times.at(at, now)).orElse("");
    }
}
