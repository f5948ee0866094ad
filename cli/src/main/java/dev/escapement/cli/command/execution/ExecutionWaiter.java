package dev.escapement.cli.command.execution;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.ShutdownSignals;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.command.ProgressLine;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ExecutionSuggestions;
import dev.escapement.cli.output.ExecutionView;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.Optional;

/** Waits for an execution, shows its progress, and reports its outcome. */
record ExecutionWaiter(CommandContext context, OutputOption output) {

    /** Returns the exit code for the outcome. */
    int waitFor(ApiClient api, ExecutionView submitted) {
        Optional<ExecutionView> finished;
        try (ProgressLine line = new ProgressLine(context, output.isHumanReadable(), submitted.shortName());
                ShutdownSignals.Registration registration =
                        context.shutdownSignals().onInterrupt(() -> printInterrupted(line, submitted))) {
            line.show(submitted.phase());
            finished = new ExecutionFollower(api, submitted, line::show)
                    .follow(ConnectionOptions.createEventFeed(api, context));
            assert registration != null;
        }
        return finished.map(this::printOutcome).orElseGet(() -> printDeleted(submitted));
    }

    private int printOutcome(ExecutionView finished) {
        Terminal terminal = context.terminal();
        if (!output.printIfMachineReadable(finished.document(), finished.name(), terminal)) {
            Instant now = context.clock().instant();
            String took = finished.duration(now)
                    .map(time -> " after " + TimeFormat.formatDuration(time))
                    .orElse("");
            String reason = finished.reason().isEmpty() ? "" : " (" + TerminalText.singleLine(finished.reason()) + ")";
            terminal.printLine(terminal.styled(
                            TerminalStyle.ofPhase(finished.phase()), TerminalText.singleLine(finished.phase()))
                    + reason
                    + took
                    + (finished.hasPhase("Completed") ? "" : ": " + TerminalText.singleLine(finished.message())));
            ExecutionSuggestions.commandsFor(finished, now)
                    .forEach(step -> terminal.printLine("  " + TerminalText.singleLine(step)));
        }
        return switch (finished.phase()) {
            case "Completed" -> ExitCodes.OK;
            case "Skipped" -> ExitCodes.NO;
            default ->
                finished.failedDuringExecution()
                        ? ExitCodes.FAILED_DURING_EXECUTION
                        : ExitCodes.FAILED_BEFORE_EXECUTION;
        };
    }

    private int printDeleted(ExecutionView submitted) {
        context.terminal().printError("execution %s was deleted before it finished".formatted(submitted.shortName()));
        return ExitCodes.NOT_FOUND;
    }

    private void printInterrupted(ProgressLine line, ExecutionView submitted) {
        line.close();
        context.terminal()
                .printError(
                        "stopped waiting; execution %1$s continues. State: escapement describe execution %2$s; output: escapement logs -f %2$s; to stop it: escapement cancel %2$s"
                                .formatted(
                                        submitted.shortName(),
                                        ExecutionSuggestions.nameArguments(submitted.shortName())));
    }
}
