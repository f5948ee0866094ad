package dev.escapement.cli.command.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ExplainPrinter;
import dev.escapement.governor.Target;
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
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NO})
public final class ExplainCommand extends ClientCommand {

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The id of the workflow.")
    private String workflow = "";

    @Parameters(index = "1", paramLabel = "TARGET", description = "namespace/kind/name, or kind/name.")
    private String target = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    ExplainCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        String canonical = Target.parse(target).canonical();
        JsonNode answer = api.get(ApiPath.of("targets", "explain")
                .withParameter("target", canonical)
                .withParameter("workflow", workflow));
        boolean admitted = answer.path("admitted").asBoolean();
        if (!output.printIfMachineReadable(answer, admitted ? "yes" : "no", terminal)) {
            new ExplainPrinter(terminal, context.clock().instant()).print(answer, workflow, canonical);
        }
        return admitted ? ExitCodes.OK : ExitCodes.NO;
    }
}
