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

/** Prints all about one target: its holder, what blocks it and until when, and suggested commands. */
public final class TargetDescriber {

    private final Terminal terminal;
    private final Instant now;

    public TargetDescriber(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    /** Prints the target with its last executions, newest first. */
    public void print(TargetJsonView target, List<ExecutionJsonView> executions) {
        new FieldList(terminal)
                .add("Target", target.target())
                .add("Object", target.objectName())
                .add("State", target.state(), TerminalStyle.ofPhase(target.state()))
                .add("Held by", holderText(target))
                .add("Failures", target.failures().isEmpty() ? "" : target.failures() + " failed starts in a row")
                .add("Next allowed", TimeFormat.formatInstant(target.nextAllowed(), now))
                .add("Epoch", target.epoch())
                .addSection("History", historyLines(target))
                .addSection("Cleared", clearanceLines(target))
                .addSection("Last executions", executionLines(executions))
                .addSection("Next", suggestedCommands(target))
                .print();
    }

    /** Prints a target without an entry: it is free and has no history. */
    public void printUnknown(String target, List<ExecutionJsonView> executions) {
        new FieldList(terminal)
                .add("Target", target)
                .add("State", "Free", TerminalStyle.SUCCESS)
                .addSection("History", List.of("none: not held, no failures, no recent completion"))
                .addSection("Last executions", executionLines(executions))
                .print();
    }

    private List<String> executionLines(List<ExecutionJsonView> executions) {
        return executions.stream().map(this::executionLine).toList();
    }

    private String executionLine(ExecutionJsonView execution) {
        return "%s of %s: %s%s%s"
                .formatted(
                        execution.shortName(),
                        execution.workflow(),
                        execution.phase(),
                        execution.reason().isEmpty() ? "" : " (" + execution.reason() + ")",
                        execution
                                .createdAt()
                                .map(at -> ", created " + TimeFormat.formatInstant(at, now))
                                .orElse(""));
    }

    private String holderText(TargetJsonView target) {
        return target.holder().isEmpty()
                ? ""
                : "%s (workflow %s), since %s"
                        .formatted(
                                target.holder(),
                                target.holderWorkflow(),
                                TimeFormat.formatInstant(target.heldSince(), now));
    }

    private List<String> historyLines(TargetJsonView target) {
        List<String> lines = new ArrayList<>();
        for (JsonNode workflow : target.workflows()) {
            String id = ClientJson.text(workflow, "/workflowId");
            endedText(workflow.path("block")).ifPresent(text -> lines.add(id + " failed and blocks: " + text));
            endedText(workflow.at("/retry/last")).ifPresent(text -> lines.add(id + " failed to start: " + text));
            endedText(workflow.path("completed")).ifPresent(text -> lines.add(id + " completed: " + text));
        }
        return lines;
    }

    private Optional<String> endedText(JsonNode ended) {
        if (!ended.isObject()) {
            return Optional.empty();
        }
        String reason = ClientJson.text(ended, "/reason");
        return Optional.of(TargetJsonView.executionName(ended)
                + (reason.isEmpty() ? "" : " (" + reason + ")")
                + ClientJson.instant(ended, "/completedAt")
                        .map(at -> ", " + TimeFormat.formatInstant(at, now))
                        .orElse(""));
    }

    private List<String> clearanceLines(TargetJsonView target) {
        JsonNode clearance = target.document().at("/status/clearance");
        return clearance.isObject()
                ? List.of("by %s, %s: %s"
                        .formatted(
                                ClientJson.text(clearance, "/clearedBy"),
                                TimeFormat.formatInstant(ClientJson.instant(clearance, "/clearedAt"), now),
                                ClientJson.text(clearance, "/clearReason")))
                : List.of();
    }

    private static List<String> suggestedCommands(TargetJsonView target) {
        List<String> commands = new ArrayList<>();
        if (!target.holder().isEmpty()) {
            commands.add("escapement describe execution " + ExecutionSuggestions.nameArguments(target.holder()));
        }
        for (JsonNode block : target.blocks()) {
            commands.add("escapement logs " + ExecutionSuggestions.nameArguments(TargetJsonView.executionName(block))
                    + "    # its output before the failure");
        }
        if (!target.blocks().isEmpty() || !target.failures().isEmpty()) {
            commands.add(ExecutionSuggestions.clearCommand(target.target()) + "    # after the cause is fixed");
        }
        commands.add("escapement explain WORKFLOW " + ShellQuoting.quote(target.target()) + "    # would it run now?");
        return commands;
    }
}
