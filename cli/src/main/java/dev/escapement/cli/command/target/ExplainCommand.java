package dev.escapement.cli.command.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.output.ExplainPrinter;
import dev.escapement.governor.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "explain",
        description = {
            "Shows whether a workflow would run on a target now, and if not, why and until when.",
            "",
            "Runs nothing. Shows every check of the gate, also those after the first that blocks."
        },
        footer = {
            "  escapement explain clean-disk node/worker-node-1",
            "  escapement explain clean-disk node/worker-node-1 && escapement run clean-disk node/worker-node-1"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NO})
public final class ExplainCommand extends DocumentCommand {

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "Id of the workflow.")
    private String workflow = "";

    @Parameters(index = "1", paramLabel = "TARGET", description = "namespace/kind/name, or kind/name.")
    private String target = "";

    @Override
    protected int execute(ApiClient api) {
        String canonical = Target.parse(target).canonical();
        JsonNode decision = api.get(ApiPath.of("targets", "explain")
                .withParameter("target", canonical)
                .withParameter("workflow", workflow));
        boolean admitted = decision.path("admitted").asBoolean();
        print(
                decision,
                admitted ? "yes" : "no",
                () -> ExplainPrinter.print(decision, workflow, canonical, terminal, now()));
        return admitted ? ExitCodes.OK : ExitCodes.NO;
    }
}
