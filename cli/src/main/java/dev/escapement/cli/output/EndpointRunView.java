package dev.escapement.cli.output;

import static dev.escapement.cli.client.ClientJson.text;
import static dev.escapement.cli.client.ClientJson.words;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.endpoint.EndpointRun;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TimeFormat;
import dev.escapement.common.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run of an endpoint, and what commands show of it: many as a table, one with all details.
 *
 * @param document as the server sent it, with the fields that this version does not know
 */
public record EndpointRunView(JsonNode document, EndpointRun run) {

    public static EndpointRunView of(JsonNode document) {
        return new EndpointRunView(document, ClientJson.read(document, EndpointRun.class));
    }

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<EndpointRunView> runs) {
        return new Table.Columns<EndpointRunView>(wide)
                .add("ID", EndpointRunView::id)
                .add("ENDPOINT", view -> text(view.run.endpoint()))
                .add("OUTCOME", view -> Table.Cell.ofPhase(view.outcome()))
                .add("STARTED", view -> TimeFormat.formatPast(ClientJson.instant(view.run.startedAt()), wide, now))
                .add("TOOK", EndpointRunView::duration)
                .add("LATE", EndpointRunView::lateness)
                .add("SOURCE", view -> words(view.run.source()))
                .addWide("FAILURES", view -> text(view.run.failuresBefore()) + " → " + text(view.run.failuresAfter()))
                .addWide("ATTEMPT", view -> text(view.run.attempt()))
                .addWide("WORKER", view -> text(view.run.worker()))
                .add("RESULT", EndpointRunView::result)
                .build(terminal, runs);
    }

    /** Prints all about the run: its times, the reason for its time, and the response. */
    public void print(Terminal terminal, Instant now) {
        String missed = text(run.missed());
        String retryAfter = text(run.retryAfterSeconds());
        new FieldList(terminal)
                .add("Run", id())
                .add("Endpoint", text(run.endpoint()))
                .add("Outcome", outcome(), TerminalStyle.ofPhase(outcome()))
                .add("Status", text(run.statusCode()))
                .add("Failure", words(run.failure()))
                .add("Error", text(run.error()))
                .add("Planned for", TimeFormat.formatInstant(ClientJson.instant(run.slot()), now))
                .add("Started", TimeFormat.formatInstant(ClientJson.instant(run.startedAt()), now))
                .add("Late", lateness())
                .add("Took", duration())
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

    public String id() {
        return text(run.id());
    }

    public boolean succeeded() {
        return text(run.outcome()).equals("SUCCEEDED");
    }

    /** Returns the number from 1, or 0 if it is missing. */
    public long number() {
        return Optional.ofNullable(run.number()).orElse(0L);
    }

    String outcome() {
        return succeeded() ? "Succeeded" : "Failed";
    }

    /** Returns the result on one line: the error, the status, or the kind of failure. */
    String result() {
        if (!text(run.error()).isEmpty()) {
            return text(run.error());
        }
        return run.statusCode() == null ? words(run.failure()) : "status " + run.statusCode();
    }

    String duration() {
        return formatMillis(run.durationMillis());
    }

    String lateness() {
        return formatMillis(run.latenessMillis());
    }

    private static String formatMillis(@Nullable Long millis) {
        return TimeFormat.formatDuration(Duration.ofMillis(millis == null ? 0 : millis));
    }
}
