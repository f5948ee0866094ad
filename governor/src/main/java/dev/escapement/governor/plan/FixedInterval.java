package dev.escapement.governor.plan;

import dev.escapement.backoff.DurationText;
import java.time.Duration;
import java.time.Instant;

/**
 * Runs at a fixed interval.
 *
 * @param every whole milliseconds, from one to 366 days
 */
public record FixedInterval(Duration every) implements Baseline {

    public FixedInterval {
        ScheduleLimits.checkInterval("interval", every);
    }

    /**
     * Returns the first of the slots {@code origin + n × every} strictly after the given time, never the origin itself.
     * The slots depend on the origin alone, so they do not drift with the run time. Constant cost: missed slots are not
     * visited.
     */
    static Instant nextSlot(Instant origin, Duration every, Instant after) {
        Duration elapsed = Duration.between(origin, after);
        // Rounded down also if the origin is in the future, as after the clock was set back.
        long elapsedMillis = elapsed.getSeconds() * 1_000 + elapsed.getNano() / 1_000_000;
        long slots = Math.floorDiv(elapsedMillis, every.toMillis()) + 1;
        // No run is due at the origin: it is a creation, or the slot of a run that has ended.
        return origin.plusMillis((slots == 0 ? 1 : slots) * every.toMillis());
    }

    @Override
    public String toString() {
        return "every " + DurationText.format(every);
    }
}
