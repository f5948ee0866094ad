package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.ActorOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.EndpointView;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.common.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The commands that act on one endpoint and print its next run. Here are those that only send a request: {@code pause},
 * {@code resume}, {@code hint} and {@code reset}.
 */
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
abstract class EndpointActionCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "Name of the endpoint.")
    private String name = "";

    // Declared here and not shared, so that the help lists them before the options of each command.
    @Mixin
    private final ActorOption actor = new ActorOption();

    @Mixin
    final OutputOption output = new OutputOption();

    final ApiPath actionPath(String action) {
        return ApiPath.of("endpoints", name, action);
    }

    /** Returns a body with the name of the actor, if it is given. */
    final ObjectNode requestBody() {
        ObjectNode body = Json.mapper().createObjectNode();
        actor.requestFields().forEach(body::put);
        return body;
    }

    final int printResult(JsonNode endpoint, String result) {
        EndpointView view = EndpointView.of(endpoint);
        if (!output.printIfMachineReadable(endpoint, view.name(), terminal)) {
            terminal.printSafeLine(view.changeSentence(result, now()));
        }
        return ExitCodes.OK;
    }

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
    static final class EndpointPauseCommand extends EndpointActionCommand {

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

        @Override
        protected int execute(ApiClient api) {
            ObjectNode body = requestBody();
            pauseEnd.duration.ifPresent(time -> body.put("for", DurationText.format(time)));
            pauseEnd.until.ifPresent(time -> body.put("until", time.toString()));
            reason.ifPresent(text -> body.put("reason", text));
            return printResult(api.post(actionPath("pause"), body), "paused");
        }
    }

    @Command(
            name = "resume",
            description = "Ends the pause of an endpoint and plans its next run.",
            footer = "  escapement endpoint resume health")
    static final class EndpointResumeCommand extends EndpointActionCommand {

        @Override
        protected int execute(ApiClient api) {
            return printResult(api.post(actionPath("resume"), requestBody()), "resumed");
        }
    }

    @Command(
            name = "hint",
            description = {
                "Changes the schedule of an endpoint for a limited time, within its minInterval and maxInterval.",
                "",
                "--every replaces schedule and backoff until the hint expires. --at and --in add one run; if the",
                "schedule has an earlier one, that one counts. Every run that a hint affects records your name, the",
                "reason, and the time without the hint."
            },
            footer = {
                "  escapement endpoint hint health --every 10s --for 15m --reason 'watching the deployment'",
                "  escapement endpoint hint health --in 5m --reason 'the certificate should be there by then'",
                "  escapement endpoint hint health --at 2026-12-24T18:00:00Z --for 48h --reason 'before the holidays'",
                "  escapement endpoint hint health --clear"
            })
    static final class EndpointHintCommand extends EndpointActionCommand {

        @ArgGroup(multiplicity = "1")
        private HintKind kind = new HintKind();

        /** Exactly one of these is given. */
        static final class HintKind {
            @Option(names = "--every", paramLabel = "DURATION", required = true, description = "Interval, such as 10s.")
            private Optional<Duration> every = Optional.empty();

            @Option(names = "--at", paramLabel = "TIME", required = true, description = "One run at this time.")
            private Optional<Instant> at = Optional.empty();

            @Option(names = "--in", paramLabel = "DURATION", required = true, description = "One run after this time.")
            private Optional<Duration> in = Optional.empty();

            @Option(names = "--clear", required = true, description = "Remove all hints.")
            private boolean clear;
        }

        @Option(
                names = "--for",
                paramLabel = "DURATION",
                description = "Time until the hint expires. Default: the setting of the server, an hour")
        private Optional<Duration> duration = Optional.empty();

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "Reason for the hint; it is recorded. Required except with --clear.")
        private Optional<String> reason = Optional.empty();

        @Override
        protected int execute(ApiClient api) {
            if (kind.clear) {
                return printResult(api.delete(actionPath("hints"), requestBody()), "hints removed");
            }
            if (reason.map(TerminalText::singleLine)
                    .filter(text -> !text.isEmpty())
                    .isEmpty()) {
                throw new IllegalArgumentException("--reason is missing: give the reason for the hint; it is recorded");
            }
            ObjectNode body = requestBody().put("reason", reason.get());
            kind.every.ifPresent(time -> body.put("interval", DurationText.format(time)));
            kind.at.ifPresent(time -> body.put("at", time.toString()));
            kind.in.ifPresent(time -> body.put("in", DurationText.format(time)));
            duration.ifPresent(time -> body.put("for", DurationText.format(time)));
            return printResult(api.post(actionPath("hints"), body), "hint added");
        }
    }

    @Command(
            name = "reset",
            description = {
                "Resets the failure count of an endpoint: the backoff ends and the schedule applies again.",
                "",
                "The history stays. To check at once whether the endpoint works: endpoint run --wait"
            },
            footer = "  escapement endpoint reset health")
    static final class EndpointResetCommand extends EndpointActionCommand {

        @Override
        protected int execute(ApiClient api) {
            return printResult(api.post(actionPath("reset-failures"), requestBody()), "failures reset");
        }
    }
}
