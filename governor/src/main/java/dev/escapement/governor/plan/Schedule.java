package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything that people have said about when an endpoint is to run.
 *
 * @param key the endpoint's id, not blank; it decides the endpoint's share of the jitter, the same on every replay
 * @param baseline interval or cron
 * @param minInterval no run is planned earlier than this after now
 * @param maxInterval no run is planned later than this after now; not shorter than {@code minInterval}
 * @param pausedUntil beats everything else as long as it lies ahead
 * @param hints in any order
 */
public record Schedule(
        String key,
        Baseline baseline,
        Optional<Duration> minInterval,
        Optional<Duration> maxInterval,
        Optional<Instant> pausedUntil,
        List<Hint> hints) {

    /** Checks the bounds, and that the clamps leave room. */
    public Schedule {
        ScheduleLimits.checkNotBlank("schedule key", key);
        minInterval.ifPresent(min -> ScheduleLimits.checkInterval("min interval", min));
        maxInterval.ifPresent(max -> ScheduleLimits.checkInterval("max interval", max));
        pausedUntil.ifPresent(until -> ScheduleLimits.checkInstant("pause end", until));
        hints = List.copyOf(hints);
        if (minInterval.isPresent()
                && maxInterval.isPresent()
                && minInterval.get().compareTo(maxInterval.get()) > 0) {
            throw new IllegalArgumentException(
                    "min interval %s is longer than max interval %s".formatted(minInterval.get(), maxInterval.get()));
        }
    }

    /** Nothing but a baseline. */
    public static Schedule of(String key, Baseline baseline) {
        return new Schedule(key, baseline, Optional.empty(), Optional.empty(), Optional.empty(), List.of());
    }

    /** The same with these clamps. */
    public Schedule withClamps(Optional<Duration> min, Optional<Duration> max) {
        return new Schedule(key, baseline, min, max, pausedUntil, hints);
    }

    /** The same, paused. */
    public Schedule pausedUntil(Instant until) {
        return new Schedule(key, baseline, minInterval, maxInterval, Optional.of(until), hints);
    }

    /** The same with these hints instead of its own. */
    public Schedule withHints(List<? extends Hint> hints) {
        return new Schedule(key, baseline, minInterval, maxInterval, pausedUntil, List.copyOf(hints));
    }
}
