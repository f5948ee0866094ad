package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lets an endpoint rest. */
@Command(
        name = "pause",
        sortOptions = false,
        description = {
            "Lets an endpoint rest: for a while, until a time, or until somebody resumes it.",
            "",
            "A pause beats everything else: baseline, backoff, hints, and wishes for a run. A run that is",
            "going on ends as it would have. Afterwards it runs once and then keeps its beat.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement endpoint pause health",
            "  escapement endpoint pause health --for 2h --reason 'maintenance of the database'",
            "  escapement endpoint pause health --until 2026-12-24T18:00:00Z"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointPauseCommand extends EndpointActionCommand {

    @ArgGroup
    private PauseEnd pauseEnd = new PauseEnd();

    /** One of them. */
    static final class PauseEnd {
        @Option(names = "--for", paramLabel = "DURATION", required = true, description = "How long: 30m, 2h, 7d.")
        private Optional<Duration> duration = Optional.empty();

        @Option(names = "--until", paramLabel = "TIME", required = true, description = "Until when.")
        private Optional<Instant> until = Optional.empty();
    }

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for those who read it later.")
    private Optional<String> reason = Optional.empty();

    EndpointPauseCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        ObjectNode body = requestBody();
        pauseEnd.duration.ifPresent(time -> body.put("for", DurationText.format(time)));
        pauseEnd.until.ifPresent(time -> body.put("until", time.toString()));
        reason.ifPresent(text -> body.put("reason", text));
        return printResult(api.post(actionPath("pause"), body), "is paused");
    }
}
