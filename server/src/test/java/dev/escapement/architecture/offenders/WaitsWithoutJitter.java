package dev.escapement.architecture.offenders;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.Unjittered;
import java.time.Duration;

/** Reached the un-jittered form. */
public final class WaitsWithoutJitter {

    private WaitsWithoutJitter() {}

    static Duration wait(int attempt) {
        return Unjittered.delay(Backoff.standard(), attempt);
    }
}
