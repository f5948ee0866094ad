package dev.escapement.cli.command.execution;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ExecutionDescriber;
import dev.escapement.cli.output.ExecutionJsonView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code describe execution}. */
@Command(
        name = "execution",
        aliases = {"executions", "wfe"},
        sortOptions = false,
        description = {"Shows the request, the outcome with its reason, and suggested commands.", ""},
        footer = {"", "Example:", "  escapement describe execution clean-disk-7k2m9xb"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class DescribeExecutionCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "Name of the execution.")
    private String name = "";

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    DescribeExecutionCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        ExecutionJsonView execution = new ExecutionJsonView(api.get(namespace.executionPath(name)));
        if (!output.printIfMachineReadable(execution.document(), execution.name(), terminal)) {
            new ExecutionDescriber(terminal, context.clock().instant()).print(execution);
        }
        return ExitCodes.OK;
    }
}
