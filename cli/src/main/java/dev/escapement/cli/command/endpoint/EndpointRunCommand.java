package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Asks for a run at once. */
@Command(
        name = "run",
        sortOptions = false,
        description = {
            "Asks for one run of an endpoint at once, whatever backoff and limits say.",
            "",
            "If it is being run right now, the next run follows that one. Its beat stays what it was. With",
            "--wait the command stays until the run has ended, shows it, and tells by its exit code whether it",
            "went well; Ctrl-C then only ends the waiting. One that is paused must be resumed first.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement endpoint run health --wait",
            "  escapement endpoint run health --reason 'after the deployment' --wait && echo it works"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NO, ExitCodes.NOT_FOUND, ExitCodes.CONFLICT, ExitCodes.INTERRUPTED})
final class EndpointRunCommand extends EndpointActionCommand {

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            defaultValue = "asked for on the command line",
            description = "Why, for those who read it later.")
    private String reason = "";

    @Option(
            names = {"-w", "--wait"},
            description = "Stay until the run has ended, and show it.")
    private boolean wait;

    EndpointRunCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        ObjectNode body = requestBody().put("reason", reason);
        JsonNode asked = api.post(actionPath("run"), body);
        return wait
                ? new EndpointRunWaiter(context, output).waitFor(api, asked)
                : printResult(asked, "is asked to run");
    }
}
