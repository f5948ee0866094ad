package dev.escapement.cli.command.notification;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.command.CommandGroup;
import dev.escapement.common.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "notify",
        synopsisSubcommandLabel = "test",
        description = "Tests the channels of notifications.",
        footer = "  escapement notify test ops-chat",
        subcommands = NotifyCommand.NotifyTestCommand.class)
public final class NotifyCommand extends CommandGroup {

    @Command(
            name = "test",
            description = {
                "Sends a test notification to a channel of the server, and shows what came back.",
                "",
                "It is sent once and not stored. The server may take half a minute to get an answer."
            },
            footer = {"  escapement notify test log", "  escapement notify test ops-chat"})
    @ExitCodes.Documented({ExitCodes.NO, ExitCodes.NOT_FOUND})
    static final class NotifyTestCommand extends ActionCommand {

        @Parameters(paramLabel = "CHANNEL", description = "Name of the channel in the server's notifications file.")
        private String channel = "";

        @Override
        protected int execute(ApiClient api) {
            ObjectNode body = Json.mapper().createObjectNode();
            actorFields().forEach(body::put);
            body.put("channel", channel);
            JsonNode answer = api.post(ApiPath.of("notifications", "test"), body);
            boolean sent = answer.path("sent").asBoolean();
            String detail = ClientJson.text(answer, "/detail");
            print(
                    answer,
                    channel,
                    sent
                            ? "channel %s: sent (%s)".formatted(channel, detail)
                            : "channel %s: failed: %s".formatted(channel, detail));
            return sent ? ExitCodes.OK : ExitCodes.NO;
        }
    }
}
