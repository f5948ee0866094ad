package dev.escapement.architecture.offenders;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.UnjitteredDelay;
import java.time.Duration;

/** Reached the un-jittered form. */
public final class UnjitteredDelayOffender {

    private UnjitteredDelayOffender() {}

    static Duration wait(int attempt) {
        return UnjitteredDelay.delay(Backoff.standard(), attempt);
    }
}
