package dev.escapement.cli.output;

import static dev.escapement.cli.output.ApiValues.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.endpoint.EndpointRun;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run of an endpoint, and what commands show of it.
 *
 * @param document as the server sent it, with the fields that this version does not know
 */
public record EndpointRunView(JsonNode document, EndpointRun run) {

    public static EndpointRunView of(JsonNode document) {
        return new EndpointRunView(document, ApiValues.read(document, EndpointRun.class));
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
        return run.statusCode() == null ? ApiValues.words(run.failure()) : "status " + run.statusCode();
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
