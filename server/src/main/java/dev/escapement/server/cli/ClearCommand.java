package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.governor.Target;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Printable;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NO})
final class ClearCommand extends ClientCommand {

    private static final int COMPARED = 500;

    @Parameters(paramLabel = "TARGET", description = "namespace/kind/name, or kind/name.")
    private String target = "";

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = {"Why it may be tried again, for those who read it later."})
    private String reason = "";

    @Mixin
    private final By by;

    @Mixin
    private final Output output = new Output();

    ClearCommand(Surroundings surroundings) {
        super(surroundings);
        this.by = new By(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        String canonical = Target.parse(target).canonical();
        if (Printable.line(reason).isEmpty()) {
            throw new IllegalArgumentException("--reason is empty: say why " + canonical + " may be tried again");
        }
        JsonNode cleared = api.post(
                Resource.of("targets", "clear"),
                Json.object().put("target", canonical).put("by", by.name()).put("reason", reason));
        // A target with nothing to clear comes back as it is, perhaps with an older clearance.
        boolean done =
                start(Json.text(cleared, "/status/clearance/clearReason")).equals(start(reason));
        if (!output.print(cleared, canonical, terminal)) {
            terminal.line(Printable.line(
                    done
                            ? "%s is cleared by %s: %s".formatted(canonical, by.name(), reason)
                            : "nothing to clear: %s is not blocked and no failure is remembered of it"
                                    .formatted(canonical)));
        }
        return done ? ExitCodes.OK : ExitCodes.NO;
    }

    /** As much as no server cuts off. */
    private static String start(String text) {
        String plain = Printable.line(text);
        return plain.substring(0, Math.min(COMPARED, plain.length()));
    }
}
