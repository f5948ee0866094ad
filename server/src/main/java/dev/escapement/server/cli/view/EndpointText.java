package dev.escapement.server.cli.view;

import dev.escapement.server.cli.text.Times;
import java.time.Instant;

/** What comes next for an endpoint, in a few words. */
public final class EndpointText {

    private EndpointText() {}

    /** When it runs, and what decided that. */
    public static String next(EndpointView endpoint, Instant now) {
        if (endpoint.isRunning()) {
            return "it is being run right now, and planned anew when that ends";
        }
        if (endpoint.isResting() && endpoint.pausedUntil().isEmpty()) {
            return endpoint.text("/status/state").equals("ARCHIVED")
                    ? "it never runs again"
                    : "it does not run until somebody resumes it";
        }
        return endpoint.nextRun()
                .map(at -> "next run %s, %s".formatted(Times.at(at, now), endpoint.source()))
                .orElse("it never runs");
    }
}
