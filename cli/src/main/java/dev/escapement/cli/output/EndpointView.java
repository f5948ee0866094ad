package dev.escapement.cli.output;

import static dev.escapement.cli.client.ClientJson.instant;
import static dev.escapement.cli.client.ClientJson.orEmpty;
import static dev.escapement.cli.client.ClientJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.api.endpoint.Endpoint.AttributedTime;
import dev.escapement.api.endpoint.EndpointStatus;
import dev.escapement.api.endpoint.ScheduleExplanation;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.Optional;

/**
 * An endpoint, and what commands show of it.
 *
 * @param document as the server sent it, with the fields that this version does not know
 * @param state of the status; empty if missing
 */
public record EndpointView(JsonNode document, Endpoint endpoint, EndpointStatus status, String state) {

    /** A pause that ends after this year is one without an end. */
    private static final Instant UNLIMITED_PAUSE_THRESHOLD = Instant.parse("9000-01-01T00:00:00Z");

    public static EndpointView of(JsonNode document) {
        Endpoint endpoint = ClientJson.read(document, Endpoint.class);
        EndpointStatus status = orEmpty(endpoint.status(), EndpointStatus.class);
        return new EndpointView(document, endpoint, status, text(status.state()));
    }

    public String name() {
        return text(endpoint.name());
    }

    public String id() {
        return text(endpoint.id());
    }

    public boolean isRunning() {
        return status.running() != null;
    }

    /** Whether no run will come by itself for now. */
    public boolean isPausedOrArchived() {
        return state.equals("PAUSED") || state.equals("ARCHIVED");
    }

    /** Returns the end of the pause; a pause without an end has none. */
    Optional<Instant> pausedUntil() {
        return instant(endpoint.pausedUntil()).filter(UNLIMITED_PAUSE_THRESHOLD::isAfter);
    }

    int failures() {
        return Optional.ofNullable(status.failures()).orElse(0);
    }

    public EndpointStatus.RunningRun running() {
        return orEmpty(status.running(), EndpointStatus.RunningRun.class);
    }

    public EndpointStatus.LastRun lastRun() {
        return orEmpty(status.lastRun(), EndpointStatus.LastRun.class);
    }

    EndpointStatus.NextRun nextRun() {
        return orEmpty(status.nextRun(), EndpointStatus.NextRun.class);
    }

    /** Returns when a run at once was last requested. */
    public Optional<Instant> runRequestedAt() {
        return instant(orEmpty(status.runRequest(), AttributedTime.class).at());
    }

    /** Returns what decided the time of the next run, in small letters. */
    String source() {
        String source = text(nextRun().source());
        String planned = orEmpty(status.plan(), ScheduleExplanation.class).source();
        return ClientJson.words(source.isEmpty() ? planned : source);
    }

    /** Describes in a sentence what was done to the endpoint and when it runs next. */
    public String changeSentence(String result, Instant now) {
        return "endpoint %s %s: %s".formatted(name(), result, nextRunSentence(now));
    }

    private String nextRunSentence(Instant now) {
        if (isRunning()) {
            return "running now; the next run is planned when it ends";
        }
        if (isPausedOrArchived() && pausedUntil().isEmpty()) {
            return state.equals("ARCHIVED") ? "never runs again" : "does not run until resumed";
        }
        return nextRunTime(now).map(time -> "next run " + time).orElse("never runs");
    }

    /** Returns the time of the next run and what decided it. */
    Optional<String> nextRunTime(Instant now) {
        return instant(nextRun().at()).map(at -> TimeFormat.formatInstant(at, now) + ", " + source());
    }
}
