package dev.escapement.cli.command.target;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.common.Json;
import dev.escapement.governor.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "clear",
        description = {
            "Clears a target after a failure, so that it accepts executions again.",
            "",
            "Needed after an execution failed halfway, or after too many failed starts. Check the target first: it",
            "may be half changed. Your name and reason are recorded with the target, with the execution and in the",
            "journal. The failure count and the backoff are reset too."
        },
        footer = {
            "  escapement describe target node/worker-node-1",
            "  escapement clear node/worker-node-1 --reason 'checked the file system, nothing is lost'"
        })
@ExitCodes.Documented(ExitCodes.NO)
public final class ClearCommand extends ActionCommand {

    /** Shorter than the length at which a server truncates a reason. */
    private static final int COMPARED_LENGTH = 500;

    @Parameters(paramLabel = "TARGET", description = "namespace/kind/name, or kind/name.")
    private String target = "";

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Why the target may be used again; it is recorded.")
    private String reason = "";

    @Override
    protected int execute(ApiClient api) {
        String canonical = Target.parse(target).canonical();
        if (TerminalText.singleLine(reason).isEmpty()) {
            throw new IllegalArgumentException("--reason is empty: give the reason to clear " + canonical);
        }
        ObjectNode body = Json.mapper().createObjectNode();
        body.put("target", canonical).put("by", actorName()).put("reason", reason);
        JsonNode response = api.post(ApiPath.of("targets", "clear"), body);
        // A target with nothing to clear is returned as it is, possibly with an earlier clearance.
        boolean cleared = comparablePrefix(ClientJson.text(response, "/status/clearance/clearReason"))
                .equals(comparablePrefix(reason));
        print(
                response,
                canonical,
                cleared
                        ? "target %s cleared by %s: %s".formatted(canonical, actorName(), reason)
                        : "nothing to clear: target %s is not blocked and has no failures".formatted(canonical));
        return cleared ? ExitCodes.OK : ExitCodes.NO;
    }

    private static String comparablePrefix(String text) {
        return TerminalText.singleLine(text, COMPARED_LENGTH);
    }
}
