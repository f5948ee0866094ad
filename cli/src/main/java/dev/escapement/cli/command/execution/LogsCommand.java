package dev.escapement.cli.command.execution;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.LogFeed;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.output.terminal.TerminalText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what an execution's tasks wrote. */
@Command(
        name = "logs",
        sortOptions = false,
        description = {
            "Shows what the tasks of an execution wrote.",
            "",
            "Characters that could do something to a terminal are left out; --raw keeps them, for files.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement logs clean-disk-7k2m9xb",
            "  escapement logs -f clean-disk-7k2m9xb       until it ends"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class LogsCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "The execution.")
    private String name = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the execution ends.")
    private boolean follow;

    @Option(names = "--raw", description = "As it was written, control characters included.")
    private boolean raw;

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    LogsCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        new LogFeed(api, namespace.executionPath(name, "logs"), context.sleeper()).read(follow, text -> {
            terminal.out().print(raw ? text : TerminalText.multiLine(text));
            terminal.out().flush();
        });
        return ExitCodes.OK;
    }
}
