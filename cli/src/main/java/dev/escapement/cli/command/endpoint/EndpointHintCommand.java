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

/** Steers an endpoint for a while. */
@Command(
        name = "hint",
        sortOptions = false,
        description = {
            "Steers an endpoint for a while, within its minInterval and maxInterval.",
            "",
            "--every replaces baseline and backoff until the hint expires. --at and --in ask for one run",
            "besides the others: the earlier wins. Who gave a hint, why, and what would have happened without",
            "it stays with every run that it touched.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement endpoint hint health --every 10s --for 15m --reason 'watching the deployment'",
            "  escapement endpoint hint health --in 5m --reason 'the certificate should be there by then'",
            "  escapement endpoint hint health --at 2026-12-24T18:00:00Z --for 48h --reason 'before the holidays'",
            "  escapement endpoint hint health --clear"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointHintCommand extends EndpointActionCommand {

    @ArgGroup(multiplicity = "1")
    private HintKind kind = new HintKind();

    /** One of them. */
    static final class HintKind {
        @Option(names = "--every", paramLabel = "DURATION", required = true, description = "This often, such as 10s.")
        private Optional<Duration> every = Optional.empty();

        @Option(names = "--at", paramLabel = "TIME", required = true, description = "Once, at this time.")
        private Optional<Instant> at = Optional.empty();

        @Option(names = "--in", paramLabel = "DURATION", required = true, description = "Once, after this time.")
        private Optional<Duration> in = Optional.empty();

        @Option(names = "--clear", required = true, description = "No hints any more.")
        private boolean clear;
    }

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            description = "How long the hint lasts. Default: the server's, an hour")
    private Optional<Duration> duration = Optional.empty();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for those who read it later. Not for --clear.")
    private Optional<String> reason = Optional.empty();

    EndpointHintCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        if (kind.clear) {
            return printResult(api.delete(actionPath("hints"), requestBody()), "has no hints any more");
        }
        if (reason.map(TerminalText::singleLine).filter(text -> !text.isEmpty()).isEmpty()) {
            throw new IllegalArgumentException("--reason is missing: say why, it stays with every run it touches");
        }
        ObjectNode body = requestBody().put("reason", reason.get());
        kind.every.ifPresent(time -> body.put("interval", DurationText.format(time)));
        kind.at.ifPresent(time -> body.put("at", time.toString()));
        kind.in.ifPresent(time -> body.put("in", DurationText.format(time)));
        duration.ifPresent(time -> body.put("for", DurationText.format(time)));
        return printResult(api.post(actionPath("hints"), body), "has a new hint");
    }
}
