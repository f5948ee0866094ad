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

/** Command {@code endpoint pause}. */
@Command(
        name = "pause",
        description = {
            "Pauses an endpoint: for a duration, until a time, or until it is resumed.",
            "",
            "A pause has priority over schedule, backoff, hints and requested runs. A call in progress completes.",
            "After the pause the endpoint runs once, then follows its schedule."
        },
        footer = {
            "  escapement endpoint pause health",
            "  escapement endpoint pause health --for 2h --reason 'maintenance of the database'",
            "  escapement endpoint pause health --until 2026-12-24T18:00:00Z"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointPauseCommand extends EndpointActionCommand {

    @ArgGroup
    private PauseEnd pauseEnd = new PauseEnd();

    /** At most one of these is given. */
    static final class PauseEnd {
        @Option(names = "--for", paramLabel = "DURATION", required = true, description = "Duration: 30m, 2h, 7d.")
        private Optional<Duration> duration = Optional.empty();

        @Option(names = "--until", paramLabel = "TIME", required = true, description = "End of the pause.")
        private Optional<Instant> until = Optional.empty();
    }

    @Option(names = "--reason", paramLabel = "TEXT", description = "Reason for the pause; it is recorded.")
    private Optional<String> reason = Optional.empty();

    EndpointPauseCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        ObjectNode body = requestBody();
        pauseEnd.duration.ifPresent(time -> body.put("for", DurationText.format(time)));
        pauseEnd.until.ifPresent(time -> body.put("until", time.toString()));
        reason.ifPresent(text -> body.put("reason", text));
        return printResult(api.post(actionPath("pause"), body), "paused");
    }
}
