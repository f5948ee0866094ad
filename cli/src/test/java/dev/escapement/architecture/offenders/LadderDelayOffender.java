package dev.escapement.architecture.offenders;

import dev.escapement.backoff.Backoff;
import java.time.Duration;

/** Took a time of the explanation for a wait. */
public final class LadderDelayOffender {

    private LadderDelayOffender() {}

    static Duration nominal(int attempt) {
        return Backoff.standard().ladder(attempt).rung(attempt).nominal();
    }

    static Duration highest(int attempt) {
        return Backoff.standard().ladder(attempt).rung(attempt).highest();
    }
}
