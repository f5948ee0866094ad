package dev.escapement.cli.command.execution;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.WorkflowJsonView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code describe workflow}. */
@Command(
        name = "workflow",
        aliases = {"workflows"},
        sortOptions = false,
        description = {"Shows the tasks and parameters of a workflow, and how to run it.", ""},
        footer = {"", "Example:", "  escapement describe workflow clean-disk"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class DescribeWorkflowCommand extends ClientCommand {

    @Parameters(paramLabel = "ID", description = "Id of the workflow.")
    private String id = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    DescribeWorkflowCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        WorkflowJsonView workflow = new WorkflowJsonView(api.get(ApiPath.of("workflows", id)));
        if (!output.printIfMachineReadable(workflow.document(), workflow.id(), terminal)) {
            workflow.print(terminal);
        }
        return ExitCodes.OK;
    }
}
