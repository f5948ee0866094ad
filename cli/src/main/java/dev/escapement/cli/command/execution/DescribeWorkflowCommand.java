package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.output.WorkflowDescriber;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "workflow",
        aliases = "workflows",
        description = "Shows the tasks and parameters of a workflow, and how to run it.",
        footer = "  escapement describe workflow clean-disk")
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public final class DescribeWorkflowCommand extends DocumentCommand {

    @Parameters(paramLabel = "ID", description = "Id of the workflow.")
    private String id = "";

    @Override
    protected int execute(ApiClient api) {
        JsonNode workflow = api.get(ApiPath.of("workflows", id));
        print(workflow, WorkflowDescriber.id(workflow), () -> WorkflowDescriber.print(workflow, terminal));
        return ExitCodes.OK;
    }
}
