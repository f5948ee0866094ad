package dev.escapement.governor.plan;

import dev.escapement.backoff.DurationText;
import java.time.Duration;

/**
 * Runs at a fixed interval.
 *
 * @param every whole milliseconds, from one to 366 days
 */
public record FixedInterval(Duration every) implements Baseline {

    public FixedInterval {
        ScheduleLimits.checkInterval("interval", every);
    }

    @Override
    public String toString() {
        return "every " + DurationText.format(every);
    }
}
