package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;

/** The beats {@code origin + n × every}. They follow from the origin alone, so they do not drift with the run time. */
final class IntervalGrid {

    private IntervalGrid() {}

    /**
     * The first beat strictly after the given time, never the origin itself. It costs the same after a second and after
     * a century of downtime: missed beats are not visited.
     */
    static Instant next(Instant origin, Duration every, Instant after) {
        Duration elapsed = Duration.between(origin, after);
        // Rounded down also if the origin lies ahead, which it does after the clock was set back.
        long elapsedMillis = elapsed.getSeconds() * 1_000 + elapsed.getNano() / 1_000_000;
        long beats = Math.floorDiv(elapsedMillis, every.toMillis()) + 1;
        // The origin is a creation, at which no run is due, or the slot of a run that has happened.
        return origin.plusMillis((beats == 0 ? 1 : beats) * every.toMillis());
    }
}
