package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.output.terminal.TerminalText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code endpoint hint}. */
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
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointHintCommand extends EndpointActionCommand {

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

    EndpointHintCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        if (kind.clear) {
            return printResult(api.delete(actionPath("hints"), requestBody()), "hints removed");
        }
        if (reason.map(TerminalText::singleLine).filter(text -> !text.isEmpty()).isEmpty()) {
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
