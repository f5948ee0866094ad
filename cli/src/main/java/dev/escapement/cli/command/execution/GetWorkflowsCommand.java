package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.WorkflowJsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code get workflows}. */
@Command(
        name = "workflows",
        aliases = {"workflow"},
        sortOptions = false,
        description = {
            "Lists the workflows of the server and the workflow files that are invalid, or shows one workflow.",
            "",
            "A star marks a required parameter.",
            ""
        },
        footer = {"", "Examples:", "  escapement get workflows", "  escapement describe workflow clean-disk"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class GetWorkflowsCommand extends ClientCommand {

    @Parameters(arity = "0..1", paramLabel = "ID", description = "Show only this workflow.")
    private Optional<String> id = Optional.empty();

    @Mixin
    private final OutputOption output = new OutputOption();

    GetWorkflowsCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        if (id.isPresent()) {
            WorkflowJsonView one = new WorkflowJsonView(api.get(ApiPath.of("workflows", id.get())));
            if (!output.printIfMachineReadable(one.document(), one.id(), terminal)) {
                WorkflowJsonView.buildTable(terminal, List.of(one)).print();
            }
            return ExitCodes.OK;
        }
        JsonNode response = api.get(ApiPath.of("workflows"));
        List<WorkflowJsonView> workflows = new ArrayList<>();
        response.path("items").forEach(item -> workflows.add(new WorkflowJsonView(item)));
        if (output.isNamesOnly()) {
            workflows.forEach(each -> output.printIfMachineReadable(each.document(), each.id(), terminal));
        } else if (!output.printIfMachineReadable(response, "", terminal)) {
            WorkflowJsonView.buildTable(terminal, workflows).print();
        }
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
