package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;

/** What comes next for an endpoint, in a few words. */
public final class NextRunText {

    private NextRunText() {}

    /** When it runs, and what decided that. */
    public static String describe(EndpointJsonView endpoint, Instant now) {
        if (endpoint.isRunning()) {
            return "it is being run right now, and planned anew when that ends";
        }
        if (endpoint.isPausedOrArchived() && endpoint.pausedUntil().isEmpty()) {
            return endpoint.text("/status/state").equals("ARCHIVED")
                    ? "it never runs again"
                    : "it does not run until somebody resumes it";
        }
        return endpoint.nextRun()
                .map(at -> "next run %s, %s".formatted(TimeFormat.formatInstant(at, now), endpoint.source()))
                .orElse("it never runs");
    }
}
