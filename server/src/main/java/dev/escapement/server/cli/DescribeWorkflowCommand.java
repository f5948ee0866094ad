package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.view.WorkflowView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells all about one workflow. */
@Command(
        name = "workflow",
        aliases = {"workflows"},
        sortOptions = false,
        description = {"Tells what a workflow does, with which parameters, and how to run it.", ""},
        footer = {"", "Example:", "  escapement describe workflow clean-disk"})
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class DescribeWorkflowCommand extends ClientCommand {

    @Parameters(paramLabel = "ID", description = "The workflow.")
    private String id = "";

    @Mixin
    private final Output output = new Output();

    DescribeWorkflowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        WorkflowView workflow = new WorkflowView(api.get(Resource.of("workflows", id)));
        if (!output.print(workflow.document(), workflow.id(), terminal)) {
            workflow.print(terminal);
        }
        return ExitCodes.OK;
    }
}
