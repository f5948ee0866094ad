package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * An endpoint with names for its parts.
 *
 * @param document as the server sent it
 */
public record EndpointJsonView(JsonNode document) {

    /** A pause that ends after this year is one without an end. */
    private static final Instant UNLIMITED_PAUSE_THRESHOLD = Instant.parse("9000-01-01T00:00:00Z");

    public String name() {
        return text("/name");
    }

    public String id() {
        return text("/id");
    }

    /** As a word: New, Healthy, Failing, Paused or Archived; Running while somebody runs it. */
    public String state() {
        String state = text("/status/state").toLowerCase(Locale.ROOT);
        if (isRunning()) {
            return "Running";
        }
        return state.isEmpty() ? "" : Character.toUpperCase(state.charAt(0)) + state.substring(1);
    }

    public boolean isRunning() {
        return document.at("/status/running").isObject();
    }

    /** Whether no run will come by itself for now. */
    public boolean isPausedOrArchived() {
        String state = text("/status/state");
        return state.equals("PAUSED") || state.equals("ARCHIVED");
    }

    public long failures() {
        return document.at("/status/failures").asLong();
    }

    public Optional<Instant> nextRun() {
        return instant("/status/nextRun/at");
    }

    public Optional<Instant> lastRun() {
        return instant("/status/lastRun/endedAt");
    }

    /** When somebody last asked for a run at once. */
    public Optional<Instant> runRequestedAt() {
        return instant("/status/runRequest/at");
    }

    /** What decided the time of the next run, in small letters. */
    public String source() {
        String source = text("/status/nextRun/source");
        return toWords(source.isEmpty() ? text("/status/plan/source") : source);
    }

    /** A pause without an end has none. */
    public Optional<Instant> pausedUntil() {
        return instant("/pausedUntil").filter(UNLIMITED_PAUSE_THRESHOLD::isAfter);
    }

    /** Whom it calls: the host, and the port where it is not the usual one. */
    public String host() {
        try {
            return Optional.ofNullable(new URI(text("/url")).getRawAuthority())
                    .map(authority -> authority.substring(authority.lastIndexOf('@') + 1))
                    .orElse("");
        } catch (URISyntaxException odd) {
            return "";
        }
    }

    public String text(String pointer) {
        return ClientJson.text(document, pointer);
    }

    public Optional<Instant> instant(String pointer) {
        return ClientJson.instant(document, pointer);
    }

    /** {@code BASELINE_INTERVAL} as people say it. */
    static String toWords(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
