package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The configured schedule of an endpoint.
 *
 * @param key the endpoint's id, not blank; it determines the jitter
 * @param minInterval the shortest time from planning to the next run
 * @param maxInterval the longest time from planning to the next run; not shorter than {@code minInterval}
 * @param pausedUntil overrides everything else while it is in the future
 * @param hints in any order
 */
public record Schedule(
        String key,
        Baseline baseline,
        Optional<Duration> minInterval,
        Optional<Duration> maxInterval,
        Optional<Instant> pausedUntil,
        List<Hint> hints) {

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

    public static Schedule of(String key, Baseline baseline) {
        return new Schedule(key, baseline, Optional.empty(), Optional.empty(), Optional.empty(), List.of());
    }

    public Schedule withClamps(Optional<Duration> min, Optional<Duration> max) {
        return new Schedule(key, baseline, min, max, pausedUntil, hints);
    }

    public Schedule pausedUntil(Instant until) {
        return new Schedule(key, baseline, minInterval, maxInterval, Optional.of(until), hints);
    }

    public Schedule withHints(List<? extends Hint> hints) {
        return new Schedule(key, baseline, minInterval, maxInterval, pausedUntil, List.copyOf(hints));
    }
}
