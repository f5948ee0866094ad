package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.view.WorkflowView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists what can be run. */
@Command(
        name = "workflows",
        aliases = {"workflow"},
        sortOptions = false,
        description = {
            "Lists the workflows that the server can run, and the files that it could not read; or shows one.",
            "",
            "A star marks a parameter that must be given.",
            ""
        },
        footer = {"", "Examples:", "  escapement get workflows", "  escapement describe workflow clean-disk"})
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class GetWorkflowsCommand extends ClientCommand {

    @Parameters(arity = "0..1", paramLabel = "ID", description = "Only this one.")
    private Optional<String> id = Optional.empty();

    @Mixin
    private final Output output = new Output();

    GetWorkflowsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        if (id.isPresent()) {
            WorkflowView one = new WorkflowView(api.get(Resource.of("workflows", id.get())));
            if (!output.print(one.document(), one.id(), terminal)) {
                WorkflowView.table(terminal, List.of(one)).print();
            }
            return ExitCodes.OK;
        }
        JsonNode answer = api.get(Resource.of("workflows"));
        List<WorkflowView> workflows = new ArrayList<>();
        answer.path("items").forEach(item -> workflows.add(new WorkflowView(item)));
        if (output.isNames()) {
            workflows.forEach(each -> output.print(each.document(), each.id(), terminal));
        } else if (!output.print(answer, "", terminal)) {
            WorkflowView.table(terminal, workflows).print();
        }
        if (answer.has("note")) {
            terminal.err().println(Printable.line(Json.text(answer, "/note")));
        }
        for (JsonNode problem : answer.path("problems")) {
            terminal.err()
                    .println(Printable.line("not readable: %s: %s"
                            .formatted(Json.text(problem, "/file"), Json.text(problem, "/message"))));
        }
        return ExitCodes.OK;
    }
}
