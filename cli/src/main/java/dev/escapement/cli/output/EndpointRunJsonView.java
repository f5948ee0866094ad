package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A run of an endpoint with names for its parts.
 *
 * @param document as the server sent it
 */
public record EndpointRunJsonView(JsonNode document) {

    public String id() {
        return text("/id");
    }

    public String endpoint() {
        return text("/endpoint");
    }

    public long number() {
        return document.path("number").asLong();
    }

    public boolean succeeded() {
        return text("/outcome").equals("SUCCEEDED");
    }

    /** As a word. */
    public String outcome() {
        return succeeded() ? "Succeeded" : "Failed";
    }

    /** What came of it, on one line: the status, or what went wrong instead. */
    public String resultText() {
        String status = text("/statusCode");
        String error = text("/error");
        if (!error.isEmpty()) {
            return error;
        }
        return status.isEmpty() ? EndpointJsonView.toWords(text("/failure")) : "status " + status;
    }

    public Optional<Instant> slot() {
        return ClientJson.instant(document, "/slot");
    }

    public Optional<Instant> startedAt() {
        return ClientJson.instant(document, "/startedAt");
    }

    public Duration duration() {
        return Duration.ofMillis(document.path("durationMillis").asLong());
    }

    public Duration lateness() {
        return Duration.ofMillis(document.path("latenessMillis").asLong());
    }

    /** What decided its time, in small letters. */
    public String source() {
        return EndpointJsonView.toWords(text("/source"));
    }

    public String text(String pointer) {
        return ClientJson.text(document, pointer);
    }
}
