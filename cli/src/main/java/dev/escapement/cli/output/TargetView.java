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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A target's document, and what commands show of it: many as a table, one with its holder, what blocks it, and
 * suggested commands. What is missing is empty.
 *
 * @param document as the server sent it
 */
public record TargetView(JsonNode document) {

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<TargetView> targets) {
        return new Table.Columns<TargetView>(wide)
                .add("TARGET", TargetView::target)
                .add("STATE", view -> Table.Cell.ofPhase(view.text("/status/state")))
                .add("HELD BY", TargetView::holder)
                .add("FAILURES", TargetView::failures)
                .add("NEXT ALLOWED", view -> view.nextAllowedText(now))
                .addWide("OBJECT", view -> view.text("/metadata/name"))
                .addWide("EPOCH", view -> view.text("/status/epoch"))
                .add("LAST", view -> view.lastEndedText(now))
                .build(terminal, targets);
    }

    /** Prints the target with its last executions, newest first. */
    public void print(Terminal terminal, Instant now, List<ExecutionView> executions) {
        String state = text("/status/state");
        new FieldList(terminal)
                .add("Target", target())
                .add("Object", text("/metadata/name"))
                .add("State", state, TerminalStyle.ofPhase(state))
                .add("Held by", holderText(now))
                .add("Failures", failures().isEmpty() ? "" : failures() + " failed starts in a row")
                .add("Next allowed", nextAllowedText(now))
                .add("Epoch", text("/status/epoch"))
                .addSection("History", historyLines(now))
                .addSection("Cleared", clearanceLines(now))
                .addSection("Last executions", executionLines(executions, now))
                .addSection("Next", suggestedCommands())
                .print();
    }

    /** Prints a target without an entry: it is free and has no history. */
    public static void printUnknown(String target, Terminal terminal, Instant now, List<ExecutionView> executions) {
        new FieldList(terminal)
                .add("Target", target)
                .add("State", "Free", TerminalStyle.SUCCESS)
                .addSection("History", List.of("none: not held, no failures, no recent completion"))
                .addSection("Last executions", executionLines(executions, now))
                .print();
    }

    public String target() {
        return text("/spec/targetResource");
    }

    /** Returns the execution that holds the target; empty if there is none. */
    private String holder() {
        return ExecutionView.shortName(document.at("/status/holder"));
    }

    /** Returns the number of failed starts in a row, of all workflows. */
    private String failures() {
        return text("/status/retry/consecutiveFailures");
    }

    /** Returns when the current state ends by itself. */
    private String nextAllowedText(Instant now) {
        Optional<Instant> nextAllowed = ClientJson.instant(document, "/status/until")
                .or(() -> ClientJson.instant(document, "/status/retry/nextAllowedExecution"));
        return TimeFormat.formatInstant(nextAllowed, now);
    }

    /** Returns what is remembered of each workflow. */
    private Stream<JsonNode> workflows() {
        return document.at("/status/workflows").valueStream();
    }

    /** Returns the last execution that ended on the target, if one is remembered. */
    private String lastEndedText(Instant now) {
        Stream<JsonNode> ofWorkflows = workflows()
                .flatMap(workflow ->
                        Stream.of(workflow.path("block"), workflow.path("completed"), workflow.at("/retry/last")));
        return Stream.concat(ofWorkflows, Stream.of(document.at("/status/retry/last")))
                .filter(JsonNode::isObject)
                .max(Comparator.comparing(past -> endOf(past).orElse(Instant.MIN)))
                .map(past -> {
                    String reason = ClientJson.text(past, "/reason");
                    String age = endOf(past)
                            .map(at -> ", " + TimeFormat.formatAge(at, now) + " ago")
                            .orElse("");
                    return (reason.isEmpty() ? "Completed" : reason) + " " + ExecutionView.shortName(past) + age;
                })
                .orElse("");
    }

    private static Optional<Instant> endOf(JsonNode past) {
        return ClientJson.instant(past, "/completedAt");
    }

    private static List<String> executionLines(List<ExecutionView> executions, Instant now) {
        return executions.stream()
                .map(execution -> execution.shortName() + " of " + execution.workflow() + ": " + execution.phase()
                        + execution.reasonInParentheses()
                        + execution
                                .createdAt()
                                .map(at -> ", created " + TimeFormat.formatInstant(at, now))
                                .orElse(""))
                .toList();
    }

    private String holderText(Instant now) {
        String since = TimeFormat.formatInstant(ClientJson.instant(document, "/status/holder/startedAt"), now);
        return holder().isEmpty()
                ? ""
                : "%s (workflow %s), since %s".formatted(holder(), text("/status/holder/workflowId"), since);
    }

    private List<String> historyLines(Instant now) {
        List<String> lines = new ArrayList<>();
        workflows().forEach(workflow -> {
            String id = ClientJson.text(workflow, "/workflowId");
            addEnded(lines, id + " failed and blocks: ", workflow.path("block"), now);
            addEnded(lines, id + " failed to start: ", workflow.at("/retry/last"), now);
            addEnded(lines, id + " completed: ", workflow.path("completed"), now);
        });
        return lines;
    }

    private static void addEnded(List<String> lines, String prefix, JsonNode ended, Instant now) {
        if (ended.isObject()) {
            String reason = ClientJson.text(ended, "/reason");
            lines.add(prefix
                    + ExecutionView.shortName(ended)
                    + (reason.isEmpty() ? "" : " (" + reason + ")")
                    + endOf(ended)
                            .map(at -> ", " + TimeFormat.formatInstant(at, now))
                            .orElse(""));
        }
    }

    private List<String> clearanceLines(Instant now) {
        if (!document.at("/status/clearance").isObject()) {
            return List.of();
        }
        String time = TimeFormat.formatInstant(ClientJson.instant(document, "/status/clearance/clearedAt"), now);
        return List.of("by %s, %s: %s"
                .formatted(text("/status/clearance/clearedBy"), time, text("/status/clearance/clearReason")));
    }

    private List<String> suggestedCommands() {
        List<String> commands = new ArrayList<>();
        if (!holder().isEmpty()) {
            commands.add("escapement describe execution " + ExecutionSuggestions.nameArguments(holder()));
        }
        List<JsonNode> blocks = workflows()
                .map(workflow -> workflow.path("block"))
                .filter(JsonNode::isObject)
                .toList();
        for (JsonNode block : blocks) {
            commands.add("escapement logs " + ExecutionSuggestions.nameArguments(ExecutionView.shortName(block))
                    + "    # its output before the failure");
        }
        if (!blocks.isEmpty() || !failures().isEmpty()) {
            commands.add(ExecutionSuggestions.clearCommand(target()) + "    # after the cause is fixed");
        }
        commands.add("escapement explain WORKFLOW " + TerminalText.shellQuote(target()) + "    # would it run now?");
        return commands;
    }

    private String text(String pointer) {
        return ClientJson.text(document, pointer);
    }
}
