package dev.escapement.cli.command.execution;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.output.ExecutionDescriber;
import dev.escapement.cli.output.ExecutionView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "execution",
        aliases = {"executions", "wfe"},
        description = "Shows the request, the outcome with its reason, and suggested commands.",
        footer = "  escapement describe execution clean-disk-7k2m9xb")
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public final class DescribeExecutionCommand extends DocumentCommand {

    @Parameters(paramLabel = "NAME", description = "Name of the execution.")
    private String name = "";

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Override
    protected int execute(ApiClient api) {
        ExecutionView execution = new ExecutionView(api.get(namespace.executionPath(name)));
        print(execution.document(), execution.name(), () -> ExecutionDescriber.print(execution, terminal, now()));
        return ExitCodes.OK;
    }
}
