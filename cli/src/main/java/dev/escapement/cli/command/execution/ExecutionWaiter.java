package dev.escapement.cli.command.execution;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.ShutdownSignals;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.command.ProgressLine;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ExecutionJsonView;
import dev.escapement.cli.output.ExecutionSuggestions;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.Optional;

/** Stays with an execution until it has ended, shows how far it is, and says how it ended. */
final class ExecutionWaiter {

    private final CommandContext context;
    private final ConnectionOptions connection;
    private final OutputOption output;

    ExecutionWaiter(CommandContext surroundings, ConnectionOptions connection, OutputOption output) {
        this.context = surroundings;
        this.connection = connection;
        this.output = output;
    }

    /** Waits, says how it ended, and returns the exit code that tells it. */
    int waitFor(ApiClient api, ExecutionJsonView asked) {
        Optional<ExecutionJsonView> ended;
        try (ProgressLine line = new ProgressLine(context, output.isHumanReadable(), asked.shortName());
                ShutdownSignals.Registration registration =
                        context.shutdownSignals().onInterrupt(() -> printDetached(line, asked))) {
            line.show(asked.phase());
            ExecutionFollower companion = new ExecutionFollower(api, asked, line::show);
            connection.createEventFeed(api).follow(companion);
            ended = companion.finishedExecution();
            assert registration != null;
        }
        return ended.map(this::printOutcome).orElseGet(() -> printDeleted(asked));
    }

    private int printOutcome(ExecutionJsonView ended) {
        if (!output.printIfMachineReadable(ended.document(), ended.name(), context.terminal())) {
            Instant now = context.clock().instant();
            String took = ended.duration(now)
                    .map(time -> " after " + TimeFormat.formatDuration(time))
                    .orElse("");
            String reason = ended.reason().isEmpty() ? "" : " (" + TerminalText.singleLine(ended.reason()) + ")";
            printLine(context.terminal()
                            .styled(TerminalStyle.ofPhase(ended.phase()), TerminalText.singleLine(ended.phase()))
                    + reason
                    + took
                    + (ended.hasPhase("Completed") ? "" : ": " + TerminalText.singleLine(ended.message())));
            ExecutionSuggestions.commandsFor(ended, now)
                    .forEach(step -> printLine("  " + TerminalText.singleLine(step)));
        }
        return switch (ended.phase()) {
            case "Completed" -> ExitCodes.OK;
            case "Skipped" -> ExitCodes.NO;
            default ->
                ended.failedDuringExecution() ? ExitCodes.FAILED_DURING_EXECUTION : ExitCodes.FAILED_BEFORE_EXECUTION;
        };
    }

    private int printDeleted(ExecutionJsonView asked) {
        context.terminal()
                .err()
                .println(TerminalText.singleLine(
                        "execution %s was deleted before it ended".formatted(asked.shortName())));
        return ExitCodes.NOT_FOUND;
    }

    private void printDetached(ProgressLine line, ExecutionJsonView asked) {
        line.close();
        context.terminal()
                .err()
                .println(TerminalText.singleLine(
                        "no longer waiting; execution %s goes on. To come back: escapement describe execution %s, escapement logs -f %s; to stop it: escapement cancel %s"
                                .formatted(
                                        asked.shortName(),
                                        ExecutionSuggestions.nameArguments(asked.shortName()),
                                        ExecutionSuggestions.nameArguments(asked.shortName()),
                                        ExecutionSuggestions.nameArguments(asked.shortName()))));
        context.terminal().err().flush();
    }

    private void printLine(String text) {
        context.terminal().printLine(text);
    }
}
