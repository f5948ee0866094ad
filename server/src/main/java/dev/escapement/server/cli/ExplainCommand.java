package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.governor.Target;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.view.ExplainPage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Asks the gate without running anything. */
@Command(
        name = "explain",
        sortOptions = false,
        description = {
            "Would this workflow run on this target now? If not: why, and when will it?",
            "",
            "Nothing is run. Every check is shown, also those behind the one that decides.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement explain clean-disk node/worker-node-1",
            "  escapement explain clean-disk node/worker-node-1 && escapement run clean-disk node/worker-node-1"
        })
@ExitsWith({ExitCodes.OK, ExitCodes.NO})
final class ExplainCommand extends ClientCommand {

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The id of the workflow.")
    private String workflow = "";

    @Parameters(index = "1", paramLabel = "TARGET", description = "namespace/kind/name, or kind/name.")
    private String target = "";

    @Mixin
    private final Output output = new Output();

    ExplainCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        String canonical = Target.parse(target).canonical();
        JsonNode answer = api.get(
                Resource.of("targets", "explain").with("target", canonical).with("workflow", workflow));
        boolean admitted = answer.path("admitted").asBoolean();
        if (!output.print(answer, admitted ? "yes" : "no", terminal)) {
            new ExplainPage(terminal, surroundings.clock().instant()).print(answer, workflow, canonical);
        }
        return admitted ? ExitCodes.OK : ExitCodes.NO;
    }
}
