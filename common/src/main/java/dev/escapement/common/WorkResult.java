package dev.escapement.common;

import java.time.Duration;
import java.util.Optional;

/**
 * What follows after an item was processed.
 *
 * @param conflict whether something else was in between, so that the item is retried soon
 * @param delay the time until the item is processed again; empty if only a new item of its key causes that
 */
public record WorkResult(boolean conflict, Optional<Duration> delay) {

    public static final WorkResult DONE = new WorkResult(false, Optional.empty());

    public static final WorkResult CONFLICT = new WorkResult(true, Optional.empty());

    public static WorkResult after(Duration delay) {
        return new WorkResult(false, Optional.of(delay));
    }
}
