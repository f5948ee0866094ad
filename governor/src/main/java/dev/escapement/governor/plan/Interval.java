package dev.escapement.governor.plan;

import dev.escapement.backoff.DurationText;
import java.time.Duration;

/**
 * Runs at a fixed distance.
 *
 * @param every whole milliseconds, from one to 366 days
 */
public record Interval(Duration every) implements Baseline {

    /** Checks the bounds. */
    public Interval {
        Limits.interval("interval", every);
    }

    @Override
    public String toString() {
        return "every " + DurationText.format(every);
    }
}
