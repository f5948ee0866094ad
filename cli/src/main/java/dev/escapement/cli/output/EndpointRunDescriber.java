package dev.escapement.cli.output;

import static dev.escapement.cli.output.ApiValues.text;

import dev.escapement.api.endpoint.EndpointRun;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TimeFormat;
import dev.escapement.common.SafeText;
import java.time.Instant;

/** Prints all about one run of an endpoint: its times, the reason for its time, and the response. */
public record EndpointRunDescriber(Terminal terminal, Instant now) {

    public void print(EndpointRunView view) {
        EndpointRun run = view.run();
        String missed = text(run.missed());
        String retryAfter = text(run.retryAfterSeconds());
        new FieldList(terminal)
                .add("Run", view.id())
                .add("Endpoint", text(run.endpoint()))
                .add("Outcome", view.outcome(), TerminalStyle.ofPhase(view.outcome()))
                .add("Status", text(run.statusCode()))
                .add("Failure", ApiValues.words(run.failure()))
                .add("Error", text(run.error()))
                .add("Planned for", TimeFormat.formatInstant(ApiValues.instant(run.slot()), now))
                .add("Started", TimeFormat.formatInstant(ApiValues.instant(run.startedAt()), now))
                .add("Late", view.lateness())
                .add("Took", view.duration())
                .add("Attempt", text(run.attempt()))
                .add("Worker", text(run.worker()))
                .add("Failures", text(run.failuresBefore()) + " before, " + text(run.failuresAfter()) + " after")
                .add("Retry after", retryAfter.isEmpty() ? "" : retryAfter + "s, from the response")
                .add("Missed", missed.isEmpty() ? "" : missed + " runs: " + text(run.missedReason()))
                .addSection("Why at that time", new PlanExplanation(now).lines(run.plan()))
                .addSection(
                        "Response (%s bytes)".formatted(text(run.responseBytes())),
                        SafeText.multiLine(text(run.response())).lines().toList())
                .print();
    }
}
