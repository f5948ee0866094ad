package dev.escapement.cli.command.execution;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.LogFeed;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.common.SafeText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "logs",
        description = {
            "Shows the output of an execution's tasks.",
            "",
            "Control characters are removed, since they could change the terminal; --raw keeps them."
        },
        footer = {"  escapement logs clean-disk-7k2m9xb", "  escapement logs -f clean-disk-7k2m9xb       until it ends"
        })
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public final class LogsCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "Name of the execution.")
    private String name = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Keep showing new output until the execution ends.")
    private boolean follow;

    @Option(names = "--raw", description = "Keep control characters.")
    private boolean raw;

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Override
    protected int execute(ApiClient api) {
        ApiPath path = ApiPath.ofExecution(namespace.name(), name, "logs");
        new LogFeed(api, path, context.sleeper()).read(follow, text -> {
            terminal.out().print(raw ? text : SafeText.multiLine(text));
            terminal.out().flush();
        });
        return ExitCodes.OK;
    }
}
