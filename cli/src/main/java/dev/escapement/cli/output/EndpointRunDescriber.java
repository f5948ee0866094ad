package dev.escapement.cli.output;

import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TimeFormat;
import dev.escapement.common.SafeText;
import java.time.Instant;

/** Prints all about one run of an endpoint: its times, the reason for its time, and the response. */
public final class EndpointRunDescriber {

    private final Terminal terminal;
    private final Instant now;

    public EndpointRunDescriber(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    public void print(EndpointRunJsonView run) {
        String missed = run.text("/missed");
        String retryAfter = run.text("/retryAfterSeconds");
        new FieldList(terminal)
                .add("Run", run.id())
                .add("Endpoint", run.endpoint())
                .add("Outcome", run.outcome(), TerminalStyle.ofPhase(run.outcome()))
                .add("Status", run.text("/statusCode"))
                .add("Failure", EndpointJsonView.toWords(run.text("/failure")))
                .add("Error", run.text("/error"))
                .add("Planned for", formatTime(run, "/slot"))
                .add("Started", formatTime(run, "/startedAt"))
                .add("Late", TimeFormat.formatDuration(run.lateness()))
                .add("Took", TimeFormat.formatDuration(run.duration()))
                .add("Attempt", run.text("/attempt"))
                .add("Worker", run.text("/worker"))
                .add("Failures", run.text("/failuresBefore") + " before, " + run.text("/failuresAfter") + " after")
                .add("Retry after", retryAfter.isEmpty() ? "" : retryAfter + "s, from the response")
                .add("Missed", missed.isEmpty() ? "" : missed + " runs: " + run.text("/missedReason"))
                .addSection(
                        "Why at that time",
                        new PlanExplanation(now).lines(run.document().path("plan")))
                .addSection(
                        "Response (%s bytes)".formatted(run.text("/responseBytes")),
                        SafeText.multiLine(run.text("/response")).lines().toList())
                .print();
    }

    private String formatTime(EndpointRunJsonView run, String pointer) {
        return TimeFormat.formatInstant(ClientJson.instant(run.document(), pointer), now);
    }
}
