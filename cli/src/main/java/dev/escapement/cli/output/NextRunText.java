package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;

/** Describes when an endpoint runs next. */
public final class NextRunText {

    private NextRunText() {}

    public static String describe(EndpointJsonView endpoint, Instant now) {
        if (endpoint.isRunning()) {
            return "running now; the next run is planned when it ends";
        }
        if (endpoint.isPausedOrArchived() && endpoint.pausedUntil().isEmpty()) {
            return endpoint.text("/status/state").equals("ARCHIVED")
                    ? "never runs again"
                    : "does not run until resumed";
        }
        return endpoint.nextRun()
                .map(at -> "next run %s, %s".formatted(TimeFormat.formatInstant(at, now), endpoint.source()))
                .orElse("never runs");
    }
}
