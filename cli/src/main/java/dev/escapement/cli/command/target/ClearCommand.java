package dev.escapement.cli.command.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.ActorOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.governor.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lets a target be tried again. */
@Command(
        name = "clear",
        sortOptions = false,
        description = {
            "Lets a target be tried again after something broke on it, or too often failed to start.",
            "",
            "Look at the target first: what failed halfway may have left it half changed. Who cleared it and",
            "why is recorded with the target, with the execution and in the journal. It is a fresh start: the",
            "count of failures and the deadline are gone too.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement describe target node/worker-node-1",
            "  escapement clear node/worker-node-1 --reason 'checked the file system, nothing is lost'"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NO})
public final class ClearCommand extends ClientCommand {

    private static final int COMPARED_LENGTH = 500;

    @Parameters(paramLabel = "TARGET", description = "namespace/kind/name, or kind/name.")
    private String target = "";

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = {"Why it may be tried again, for those who read it later."})
    private String reason = "";

    @Mixin
    private final ActorOption actor;

    @Mixin
    private final OutputOption output = new OutputOption();

    ClearCommand(CommandContext surroundings) {
        super(surroundings);
        this.actor = new ActorOption(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        String canonical = Target.parse(target).canonical();
        if (TerminalText.singleLine(reason).isEmpty()) {
            throw new IllegalArgumentException("--reason is empty: say why " + canonical + " may be tried again");
        }
        JsonNode cleared = api.post(
                ApiPath.of("targets", "clear"),
                ClientJson.createObject()
                        .put("target", canonical)
                        .put("by", actor.name())
                        .put("reason", reason));
        // A target with nothing to clear comes back as it is, perhaps with an older clearance.
        boolean done = comparablePrefix(ClientJson.text(cleared, "/status/clearance/clearReason"))
                .equals(comparablePrefix(reason));
        if (!output.printIfMachineReadable(cleared, canonical, terminal)) {
            terminal.printLine(TerminalText.singleLine(
                    done
                            ? "%s is cleared by %s: %s".formatted(canonical, actor.name(), reason)
                            : "nothing to clear: %s is not blocked and no failure is remembered of it"
                                    .formatted(canonical)));
        }
        return done ? ExitCodes.OK : ExitCodes.NO;
    }

    /** As much as no server cuts off. */
    private static String comparablePrefix(String text) {
        String plain = TerminalText.singleLine(text);
        return plain.substring(0, Math.min(COMPARED_LENGTH, plain.length()));
    }
}
