package dev.escapement.cli.output;

import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** All about one run: when, why then, what came back. */
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
                .add("Retry after", retryAfter.isEmpty() ? "" : retryAfter + "s, as the answer asked")
                .add("Missed", missed.isEmpty() ? "" : missed + " beats: " + run.text("/missedReason"))
                .addSection(
                        "Why then",
                        new PlanExplanation(now).lines(run.document().path("plan")))
                .addSection("Response (%s bytes)".formatted(run.text("/responseBytes")), responseLines(run))
                .print();
    }

    private static List<String> responseLines(EndpointRunJsonView run) {
        return TerminalText.multiLine(run.text("/response")).lines().toList();
    }

    private String formatTime(EndpointRunJsonView run, String pointer) {
        return ClientJson.instant(run.document(), pointer)
                .map(at -> TimeFormat.formatInstant(at, now))
                .orElse("");
    }
}
