package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.command.ResourcePrinter;
import dev.escapement.cli.output.WorkflowDescriber;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "workflows",
        aliases = "workflow",
        description = {
            "Lists the workflows of the server and the workflow files that are invalid, or shows one workflow.",
            "",
            "A star marks a required parameter."
        },
        footer = {"  escapement get workflows", "  escapement describe workflow clean-disk"})
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public final class GetWorkflowsCommand extends DocumentCommand {

    @Parameters(arity = "0..1", paramLabel = "ID", description = "Show only this workflow.")
    private Optional<String> id = Optional.empty();

    @Override
    protected int execute(ApiClient api) {
        ResourcePrinter<JsonNode> printer = new ResourcePrinter<>(
                context, output, workflow -> workflow, WorkflowDescriber::id, WorkflowDescriber::buildTable);
        if (id.isPresent()) {
            printer.printOne(api.get(ApiPath.of("workflows", id.get())));
            return ExitCodes.OK;
        }
        JsonNode response = api.get(ApiPath.of("workflows"));
        printer.printList(response.path("items").valueStream().toList(), response, Optional.empty());
        if (response.has("note")) {
            terminal.printError(ClientJson.text(response, "/note"));
        }
        for (JsonNode problem : response.path("problems")) {
            terminal.printError("invalid workflow file %s: %s"
                    .formatted(ClientJson.text(problem, "/file"), ClientJson.text(problem, "/message")));
        }
        return ExitCodes.OK;
    }
}
