package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Suggests commands for an execution in its current phase. */
public final class ExecutionSuggestions {

    private ExecutionSuggestions() {}

    /** Returns no suggestions for a completed execution. */
    public static List<String> commandsFor(ExecutionView execution, Instant now) {
        return switch (execution.phase()) {
            case "Pending", "Running" ->
                List.of(command("logs -f", execution), command("cancel", execution) + "    # stops it");
            case "Failed" ->
                execution.failedDuringExecution() ? afterPartialFailure(execution) : afterFailedStart(execution, now);
            case "Skipped" -> afterSkip(execution, now);
            default -> List.of();
        };
    }

    private static List<String> afterPartialFailure(ExecutionView execution) {
        List<String> steps = new ArrayList<>(List.of(command("logs", execution)));
        if (execution.text("/status/blockClearance/clearedBy").isEmpty()) {
            steps.add("%s may be half changed. Check it, then allow new executions:".formatted(execution.target()));
            steps.add(clearCommand(execution.target()));
        }
        return steps;
    }

    private static List<String> afterFailedStart(ExecutionView execution, Instant now) {
        List<String> steps = new ArrayList<>(List.of("Nothing ran and nothing was changed. Fix the cause and retry."));
        execution
                .nextAllowed()
                .ifPresent(at -> steps.add("The target accepts the next attempt " + formatTime(at, now) + "."));
        steps.add(explainCommand(execution));
        return steps;
    }

    private static List<String> afterSkip(ExecutionView execution, Instant now) {
        List<String> steps = new ArrayList<>();
        switch (execution.reason()) {
            case "ResourceBusy" -> {
                String holder = execution.conflictingExecution();
                if (!holder.isEmpty()) {
                    steps.add("escapement describe execution " + nameArguments(holder) + "    # holds the target");
                }
            }
            case "QueueFull" ->
                steps.add("escapement get executions --target " + TerminalText.shellQuote(execution.target())
                        + "    # shows what waits");
            case "PreviousExecutionFailed", "ExhaustedRetries" -> {
                steps.add("escapement describe target " + TerminalText.shellQuote(execution.target())
                        + "    # shows the failure");
                steps.add(clearCommand(execution.target()));
            }
            default ->
                execution.nextAllowed().ifPresent(at -> steps.add("It may run again " + formatTime(at, now) + "."));
        }
        steps.add(explainCommand(execution));
        return steps;
    }

    static String clearCommand(String target) {
        return "escapement clear " + TerminalText.shellQuote(target) + " --reason '…'";
    }

    private static String explainCommand(ExecutionView execution) {
        return "escapement explain %s %s    # would it run now?"
                .formatted(TerminalText.shellQuote(execution.workflow()), TerminalText.shellQuote(execution.target()));
    }

    private static String command(String verb, ExecutionView execution) {
        return "escapement " + verb + " " + nameArguments(execution.shortName());
    }

    /** Returns {@code NAME}, or {@code NAME -n NAMESPACE} for {@code NAMESPACE/NAME}. */
    public static String nameArguments(String shortName) {
        int slash = shortName.indexOf('/');
        return slash < 0
                ? TerminalText.shellQuote(shortName)
                : TerminalText.shellQuote(shortName.substring(slash + 1)) + " -n "
                        + TerminalText.shellQuote(shortName.substring(0, slash));
    }

    private static String formatTime(Instant at, Instant now) {
        return now.isBefore(at) ? "at " + TimeFormat.formatInstant(at, now) : "now";
    }
}
