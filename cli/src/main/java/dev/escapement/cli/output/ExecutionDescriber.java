package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.ApiGroup;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Shows executions to people: many as a table, one with its request, outcome, reason and suggested commands. */
public final class ExecutionDescriber {

    /** A slash in a name is escaped in a JSON pointer. */
    private static final String CANCELLED_BY = "/metadata/annotations/" + ApiGroup.CANCELLED_BY.replace("/", "~1");

    private ExecutionDescriber() {}

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<ExecutionView> executions) {
        return new Table.Columns<ExecutionView>(wide)
                .add("NAME", ExecutionView::shortName)
                .add("WORKFLOW", ExecutionView::workflow)
                .add("TARGET", ExecutionView::target)
                .add("PHASE", execution -> Table.Cell.ofPhase(execution.phase()))
                .add("REASON", ExecutionView::reason)
                .addWide("TASKS", ExecutionView::progress)
                .addWide("TOOK", execution -> execution.durationText(now))
                .add("AGE", execution -> execution.ageText(now))
                .addWide("UID", ExecutionView::uid)
                .addWide("MESSAGE", ExecutionView::message)
                .build(terminal, executions);
    }

    public static void print(ExecutionView execution, Terminal terminal, Instant now) {
        String phase = execution.phase();
        String progress = execution.progress().replace("/", " of ");
        String runMessage = execution.text("/status/pipelineRunStatus/message");
        new FieldList(terminal)
                .add("Execution", execution.namespace() + "/" + execution.name())
                .add("Workflow", execution.workflow() + " " + execution.text("/spec/workflowRef/version"))
                .add("Target", execution.target())
                .add("Phase", phase + execution.reasonInParentheses(), TerminalStyle.ofPhase(phase))
                .add("Created", TimeFormat.formatInstant(execution.createdAt(), now))
                .add("Started", TimeFormat.formatInstant(execution.startedAt(), now))
                .add("Ended", TimeFormat.formatInstant(execution.endedAt(), now))
                .add("Took", execution.durationText(now))
                .add("Tasks", progress + (progress.isEmpty() || runMessage.isEmpty() ? "" : ", " + runMessage))
                .add("Timeout", execution.text("/spec/executionConfig/timeout"))
                .add("Rationale", execution.text("/spec/rationale"))
                .add("Confidence", execution.text("/spec/confidence"))
                .add("Belongs to", execution.text("/spec/remediationRequestRef/name"))
                .add("Cancelled by", execution.text(CANCELLED_BY))
                .add("Run", execution.text("/status/pipelineRunRef/name"))
                .add("Uid", execution.uid())
                .addSection("Parameters", parameterLines(execution))
                .addSection("Why", explanationLines(execution, now))
                .addSection("Next", ExecutionSuggestions.commandsFor(execution, now))
                .print();
    }

    private static List<String> explanationLines(ExecutionView execution, Instant now) {
        List<String> lines = new ArrayList<>();
        boolean failed = execution.hasPhase("Failed");
        addUnlessBlank(lines, "", failed || execution.hasPhase("Skipped") ? execution.message() : "");
        if (failed) {
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
        if (execution.document().at("/status/blockClearance").isObject()) {
            lines.add("Cleared by " + execution.text("/status/blockClearance/clearedBy") + ": "
                    + execution.text("/status/blockClearance/clearReason"));
        }
        return lines;
    }

    private static void addUnlessBlank(List<String> lines, String prefix, String text) {
        if (!text.isBlank() && !lines.contains(text)) {
            lines.add(prefix + text);
        }
    }

    private static List<String> parameterLines(ExecutionView execution) {
        JsonNode parameters = execution.document().at("/spec/parameters");
        return parameters
                .propertyStream()
                .map(each -> each.getKey() + " = " + each.getValue().asText())
                .toList();
    }
}
