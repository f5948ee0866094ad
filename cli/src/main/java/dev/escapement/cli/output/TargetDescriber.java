package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that a person wants to know about one target: who holds it, what is in the way, until when, and what to do. */
public final class TargetDescriber {

    private final Terminal terminal;
    private final Instant now;

    public TargetDescriber(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    /**
     * Prints it.
     *
     * @param executions the last ones on it, the newest first
     */
    public void print(TargetJsonView target, List<ExecutionJsonView> executions) {
        new FieldList(terminal)
                .add("Target", target.target())
                .add("Object", target.objectName())
                .add("State", target.state(), TerminalStyle.ofPhase(target.state()))
                .add("Held by", holderText(target))
                .add("Failures", failuresText(target))
                .add(
                        "Next allowed",
                        target.nextAllowed()
                                .map(at -> TimeFormat.formatInstant(at, now))
                                .orElse(""))
                .add("Epoch", target.epoch())
                .addSection("Remembered", historyLines(target))
                .addSection("Cleared", clearanceLines(target))
                .addSection(
                        "Last executions",
                        executions.stream().map(this::executionLine).toList())
                .addSection("Next", suggestedCommands(target))
                .print();
    }

    /** A target that nobody has touched lately has no entry; that is not an error. */
    public void printUnknown(String target, List<ExecutionJsonView> executions) {
        new FieldList(terminal)
                .add("Target", target)
                .add("State", "Free", TerminalStyle.SUCCESS)
                .addSection(
                        "Remembered", List.of("nothing: no execution holds it, none failed, none completed just now"))
                .addSection(
                        "Last executions",
                        executions.stream().map(this::executionLine).toList())
                .print();
    }

    private String executionLine(ExecutionJsonView execution) {
        String reason = execution.reason().isEmpty() ? "" : " (" + execution.reason() + ")";
        return "%s of %s: %s%s%s"
                .formatted(
                        execution.shortName(),
                        execution.workflow(),
                        execution.phase(),
                        reason,
                        execution
                                .createdAt()
                                .map(at -> ", asked for " + TimeFormat.formatInstant(at, now))
                                .orElse(""));
    }

    private String holderText(TargetJsonView target) {
        return target.holder().isEmpty()
                ? ""
                : "%s (workflow %s), since %s"
                        .formatted(
                                target.holder(),
                                target.holderWorkflow(),
                                target.heldSince()
                                        .map(at -> TimeFormat.formatInstant(at, now))
                                        .orElse("?"));
    }

    private static String failuresText(TargetJsonView target) {
        return target.failures().isEmpty() ? "" : target.failures() + " in a row could not start";
    }

    private List<String> historyLines(TargetJsonView target) {
        List<String> lines = new ArrayList<>();
        for (JsonNode workflow : target.workflows()) {
            String id = ClientJson.text(workflow, "/workflowId");
            endedText(workflow.path("block")).ifPresent(text -> lines.add(id + " broke: " + text));
            endedText(workflow.at("/retry/last")).ifPresent(text -> lines.add(id + " could not start: " + text));
            endedText(workflow.path("completed")).ifPresent(text -> lines.add(id + " completed: " + text));
        }
        return lines;
    }

    private Optional<String> endedText(JsonNode past) {
        if (!past.isObject()) {
            return Optional.empty();
        }
        String reason = ClientJson.text(past, "/reason");
        return Optional.of(TargetJsonView.executionName(past)
                + (reason.isEmpty() ? "" : " (" + reason + ")")
                + ClientJson.instant(past, "/completedAt")
                        .map(at -> ", " + TimeFormat.formatInstant(at, now))
                        .orElse(""));
    }

    private List<String> clearanceLines(TargetJsonView target) {
        JsonNode clearance = target.document().at("/status/clearance");
        return clearance.isObject()
                ? List.of("by %s, %s: %s"
                        .formatted(
                                ClientJson.text(clearance, "/clearedBy"),
                                ClientJson.instant(clearance, "/clearedAt")
                                        .map(at -> TimeFormat.formatInstant(at, now))
                                        .orElse("?"),
                                ClientJson.text(clearance, "/clearReason")))
                : List.of();
    }

    private List<String> suggestedCommands(TargetJsonView target) {
        List<String> steps = new ArrayList<>();
        if (!target.holder().isEmpty()) {
            steps.add("escapement describe execution " + ExecutionSuggestions.nameArguments(target.holder()));
        }
        for (JsonNode block : target.blocks()) {
            steps.add("escapement logs " + ExecutionSuggestions.nameArguments(TargetJsonView.executionName(block))
                    + "    # what it did before it broke");
        }
        if (!target.blocks().isEmpty() || !target.failures().isEmpty()) {
            steps.add(ExecutionSuggestions.clearCommand(target.target()) + "    # when the cause is gone");
        }
        steps.add("escapement explain WORKFLOW " + ShellQuoting.quote(target.target()) + "    # would it run now?");
        return steps;
    }
}
