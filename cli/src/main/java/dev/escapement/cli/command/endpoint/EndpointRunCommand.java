package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code endpoint run}. */
@Command(
        name = "run",
        description = {
            "Requests one run of an endpoint now, regardless of backoff and limits.",
            "",
            "If a call is in progress, the run follows it. The schedule does not change. With --wait the command",
            "returns when the run has ended, shows it, and reports the outcome as exit code; Ctrl-C ends the",
            "waiting, not the run. A paused endpoint must be resumed first.",
            ""
        },
        footer = {
            "  escapement endpoint run health --wait",
            "  escapement endpoint run health --reason 'after the deployment' --wait && echo it works"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NO, ExitCodes.NOT_FOUND, ExitCodes.CONFLICT, ExitCodes.INTERRUPTED})
final class EndpointRunCommand extends EndpointActionCommand {

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            defaultValue = "requested on the command line",
            description = "Reason for the run; it is recorded.")
    private String reason = "";

    @Option(
            names = {"-w", "--wait"},
            description = "Wait until the run has ended, and show it.")
    private boolean wait;

    EndpointRunCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        JsonNode endpoint = api.post(actionPath("run"), requestBody().put("reason", reason));
        return wait
                ? new EndpointRunWaiter(context, output).waitFor(api, endpoint)
                : printResult(endpoint, "run requested");
    }
}
