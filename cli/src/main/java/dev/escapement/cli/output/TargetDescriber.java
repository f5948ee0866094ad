package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows targets to people: many as a table, one with its holder, what blocks it, and suggested commands. */
public record TargetDescriber(Terminal terminal, Instant now) {

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<TargetJsonView> targets) {
        return new Table.Columns<TargetJsonView>(wide)
                .add("TARGET", TargetJsonView::target)
                .add("STATE", target -> Table.Cell.ofPhase(target.state()))
                .add("HELD BY", TargetJsonView::holder)
                .add("FAILURES", TargetJsonView::failures)
                .add("NEXT ALLOWED", target -> TimeFormat.formatInstant(target.nextAllowed(), now))
                .addWide("OBJECT", TargetJsonView::objectName)
                .addWide("EPOCH", TargetJsonView::epoch)
                .add(
                        "LAST",
                        target -> target.lastEnded()
                                .map(past -> endedText(past, now))
                                .orElse(""))
                .build(terminal, targets);
    }

    private static String endedText(JsonNode past, Instant now) {
        String reason = ClientJson.text(past, "/reason");
        Optional<Instant> end = ClientJson.instant(past, "/completedAt");
        return (reason.isEmpty() ? "Completed" : reason) + " " + ExecutionJsonView.shortName(past)
                + end.map(at -> ", " + TimeFormat.formatAge(at, now) + " ago").orElse("");
    }

    /** Prints the target with its last executions, newest first. */
    public void print(TargetJsonView target, List<ExecutionJsonView> executions) {
        String failures = target.failures();
        new FieldList(terminal)
                .add("Target", target.target())
                .add("Object", target.objectName())
                .add("State", target.state(), TerminalStyle.ofPhase(target.state()))
                .add("Held by", holderText(target))
                .add("Failures", failures.isEmpty() ? "" : failures + " failed starts in a row")
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
        Optional<Instant> created = execution.createdAt();
        return execution.shortName() + " of " + execution.workflow() + ": " + execution.phase()
                + execution.reasonInParentheses()
                + created.map(at -> ", created " + TimeFormat.formatInstant(at, now))
                        .orElse("");
    }

    private String holderText(TargetJsonView target) {
        String since = TimeFormat.formatInstant(ClientJson.instant(target.document(), "/status/holder/startedAt"), now);
        return target.holder().isEmpty()
                ? ""
                : "%s (workflow %s), since %s"
                        .formatted(target.holder(), target.text("/status/holder/workflowId"), since);
    }

    private List<String> historyLines(TargetJsonView target) {
        List<String> lines = new ArrayList<>();
        target.workflows().forEach(workflow -> {
            String id = ClientJson.text(workflow, "/workflowId");
            addEnded(lines, id + " failed and blocks: ", workflow.path("block"));
            addEnded(lines, id + " failed to start: ", workflow.at("/retry/last"));
            addEnded(lines, id + " completed: ", workflow.path("completed"));
        });
        return lines;
    }

    private void addEnded(List<String> lines, String prefix, JsonNode ended) {
        if (ended.isObject()) {
            String reason = ClientJson.text(ended, "/reason");
            Optional<Instant> end = ClientJson.instant(ended, "/completedAt");
            lines.add(prefix
                    + ExecutionJsonView.shortName(ended)
                    + (reason.isEmpty() ? "" : " (" + reason + ")")
                    + end.map(at -> ", " + TimeFormat.formatInstant(at, now)).orElse(""));
        }
    }

    private List<String> clearanceLines(TargetJsonView target) {
        JsonNode clearance = target.document().at("/status/clearance");
        if (!clearance.isObject()) {
            return List.of();
        }
        String time = TimeFormat.formatInstant(ClientJson.instant(clearance, "/clearedAt"), now);
        String actor = ClientJson.text(clearance, "/clearedBy");
        return List.of("by " + actor + ", " + time + ": " + ClientJson.text(clearance, "/clearReason"));
    }

    private static List<String> suggestedCommands(TargetJsonView target) {
        List<String> commands = new ArrayList<>();
        if (!target.holder().isEmpty()) {
            commands.add("escapement describe execution " + ExecutionSuggestions.nameArguments(target.holder()));
        }
        for (JsonNode block : target.blocks()) {
            commands.add("escapement logs " + ExecutionSuggestions.nameArguments(ExecutionJsonView.shortName(block))
                    + "    # its output before the failure");
        }
        if (!target.blocks().isEmpty() || !target.failures().isEmpty()) {
            commands.add(ExecutionSuggestions.clearCommand(target.target()) + "    # after the cause is fixed");
        }
        commands.add(
                "escapement explain WORKFLOW " + TerminalText.shellQuote(target.target()) + "    # would it run now?");
        return commands;
    }
}
