package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.ApiGroup;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An execution's document, and what commands show of it: many as a table, one with its request, outcome, reason and
 * suggested commands. What is missing is empty.
 *
 * @param document as the server sent it
 */
public record ExecutionView(JsonNode document) {

    /** Where requests go that name no namespace. */
    public static final String DEFAULT_NAMESPACE = "default";

    /** A slash in a name is escaped in a JSON pointer. */
    private static final String CANCELLED_BY = "/metadata/annotations/" + ApiGroup.CANCELLED_BY.replace("/", "~1");

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<ExecutionView> executions) {
        return new Table.Columns<ExecutionView>(wide)
                .add("NAME", ExecutionView::shortName)
                .add("WORKFLOW", ExecutionView::workflow)
                .add("TARGET", ExecutionView::target)
                .add("PHASE", execution -> Table.Cell.ofPhase(execution.phase()))
                .add("REASON", ExecutionView::reason)
                .addWide("TASKS", ExecutionView::progress)
                .addWide("TOOK", execution -> execution.durationText(now))
                .add(
                        "AGE",
                        execution -> execution
                                .createdAt()
                                .map(at -> TimeFormat.formatAge(at, now))
                                .orElse(""))
                .addWide("UID", ExecutionView::uid)
                .addWide("MESSAGE", ExecutionView::message)
                .build(terminal, executions);
    }

    public void print(Terminal terminal, Instant now) {
        String progress = progress().replace("/", " of ");
        String runMessage = text("/status/pipelineRunStatus/message");
        new FieldList(terminal)
                .add("Execution", namespace() + "/" + name())
                .add("Workflow", workflow() + " " + text("/spec/workflowRef/version"))
                .add("Target", target())
                .add("Phase", phase() + reasonInParentheses(), TerminalStyle.ofPhase(phase()))
                .add("Created", TimeFormat.formatInstant(createdAt(), now))
                .add("Started", TimeFormat.formatInstant(startedAt(), now))
                .add("Ended", TimeFormat.formatInstant(endedAt(), now))
                .add("Took", durationText(now))
                .add("Tasks", progress + (progress.isEmpty() || runMessage.isEmpty() ? "" : ", " + runMessage))
                .add("Timeout", text("/spec/executionConfig/timeout"))
                .add("Rationale", text("/spec/rationale"))
                .add("Confidence", text("/spec/confidence"))
                .add("Belongs to", text("/spec/remediationRequestRef/name"))
                .add("Cancelled by", text(CANCELLED_BY))
                .add("Run", runName())
                .add("Uid", uid())
                .addSection("Parameters", parameterLines())
                .addSection("Why", explanationLines(now))
                .addSection("Next", ExecutionSuggestions.commandsFor(this, now))
                .print();
    }

    private List<String> parameterLines() {
        return document.at("/spec/parameters")
                .propertyStream()
                .map(each -> each.getKey() + " = " + each.getValue().asText())
                .toList();
    }

    private List<String> explanationLines(Instant now) {
        List<String> lines = new ArrayList<>();
        boolean failed = hasPhase("Failed");
        addUnlessBlank(lines, "", failed || hasPhase("Skipped") || hasPhase("Pending") ? message() : "");
        if (failed) {
            lines.add(
                    failedDuringExecution()
                            ? "Some of it ran, or may have run: the target is blocked until a person clears it."
                            : "No part of it ran.");
            addUnlessBlank(lines, "Task: ", text("/status/failureDetails/failedTaskName"));
            addUnlessBlank(lines, "Exit code: ", text("/status/failureDetails/exitCode"));
            addUnlessBlank(lines, "", text("/status/failureDetails/naturalLanguageSummary"));
            addUnlessBlank(lines, "Failures in a row: ", text("/status/consecutiveFailures"));
        }
        nextAllowed().ifPresent(at -> lines.add("Next allowed: " + TimeFormat.formatInstant(at, now)));
        if (document.at("/status/blockClearance").isObject()) {
            lines.add("Cleared by " + text("/status/blockClearance/clearedBy") + ": "
                    + text("/status/blockClearance/clearReason"));
        }
        return lines;
    }

    private static void addUnlessBlank(List<String> lines, String prefix, String text) {
        if (!text.isBlank() && !lines.contains(text)) {
            lines.add(prefix + text);
        }
    }

    public String name() {
        return text("/metadata/name");
    }

    public String namespace() {
        return text("/metadata/namespace");
    }

    public String shortName() {
        return shortName(document.path("metadata"));
    }

    /** Returns the name of an execution as people type it: with the namespace only if it is not the default one. */
    public static String shortName(JsonNode reference) {
        String namespace = ClientJson.text(reference, "/namespace");
        boolean usual = namespace.isEmpty() || namespace.equals(DEFAULT_NAMESPACE);
        return (usual ? "" : namespace + "/") + ClientJson.text(reference, "/name");
    }

    public String uid() {
        return text("/metadata/uid");
    }

    public String workflow() {
        return text("/spec/workflowRef/workflowId");
    }

    public String target() {
        return text("/spec/targetResource");
    }

    /** Returns the phase: Pending until the server has processed the execution. */
    public String phase() {
        String phase = text("/status/phase");
        return phase.isEmpty() ? "Pending" : phase;
    }

    public boolean isFinished() {
        return hasPhase("Completed") || hasPhase("Failed") || hasPhase("Skipped");
    }

    public boolean hasPhase(String phase) {
        return phase().equals(phase);
    }

    /** Whether it failed after some of it ran, or may have run; also true for a failure that does not state it. */
    public boolean failedDuringExecution() {
        return hasPhase("Failed")
                && !text("/status/failureDetails/wasExecutionFailure").equals("false");
    }

    /** Returns the code of the failure, the skip or the delay. */
    public String reason() {
        return firstNonEmpty(
                "/status/failureDetails/reason", "/status/skipDetails/reason", "/status/pendingDetails/reason");
    }

    String reasonInParentheses() {
        return reason().isEmpty() ? "" : " (" + reason() + ")";
    }

    /** Returns the message of the failure, the skip or the delay, or of the run. */
    public String message() {
        return firstNonEmpty(
                "/status/failureDetails/message",
                "/status/skipDetails/message",
                "/status/pendingDetails/message",
                "/status/pipelineRunStatus/message");
    }

    /** Returns the progress, such as {@code 2/3}; empty if it is unknown. */
    public String progress() {
        return progress(document.at("/status/pipelineRunStatus"));
    }

    public static String progress(JsonNode pipelineRunStatus) {
        String total = ClientJson.text(pipelineRunStatus, "/totalTasks");
        return total.isEmpty() || total.equals("0")
                ? ""
                : ClientJson.text(pipelineRunStatus, "/completedTasks") + "/" + total;
    }

    public Optional<Instant> createdAt() {
        return ClientJson.instant(document, "/metadata/creationTimestamp");
    }

    public Optional<Instant> startedAt() {
        return ClientJson.instant(document, "/status/startTime");
    }

    public Optional<Instant> endedAt() {
        return ClientJson.instant(document, "/status/completionTime");
    }

    /** Returns how long it ran, or has been running. */
    public Optional<Duration> duration(Instant now) {
        return startedAt().map(start -> Duration.between(start, endedAt().orElse(now)));
    }

    private String durationText(Instant now) {
        return duration(now).map(TimeFormat::formatDuration).orElse("");
    }

    /** Returns from when on the same request would be admitted, if only time prevents it. */
    public Optional<Instant> nextAllowed() {
        return ClientJson.instant(document, "/status/nextAllowedExecution")
                .or(() -> ClientJson.instant(document, "/status/skipDetails/nextAllowedExecution"));
    }

    /** Returns the short name of the execution that held the target; empty if there is none. */
    public String conflictingExecution() {
        return shortName(document.at("/status/skipDetails/conflictingWorkflow"));
    }

    public String text(String pointer) {
        return ClientJson.text(document, pointer);
    }

    private String firstNonEmpty(String... pointers) {
        return Stream.of(pointers)
                .map(this::text)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Returns kind, namespace and name of the run, as far as they are known. */
    private String runName() {
        return Stream.of("kind", "namespace", "name")
                .map(part -> text("/status/pipelineRunRef/" + part))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("/"));
    }
}
