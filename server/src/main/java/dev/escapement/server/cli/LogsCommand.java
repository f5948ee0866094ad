package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.LogFeed;
import dev.escapement.server.cli.text.Printable;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class LogsCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "The execution.")
    private String name = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the execution ends.")
    private boolean follow;

    @Option(names = "--raw", description = "As it was written, control characters included.")
    private boolean raw;

    @Mixin
    private final Namespace namespace = new Namespace();

    LogsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        new LogFeed(api, namespace.execution(name, "logs"), surroundings.pause()).read(follow, text -> {
            terminal.out().print(raw ? text : Printable.lines(text));
            terminal.out().flush();
        });
        return ExitCodes.OK;
    }
}
