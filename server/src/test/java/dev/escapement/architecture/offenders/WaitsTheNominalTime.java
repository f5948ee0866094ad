package dev.escapement.architecture.offenders;

import dev.escapement.backoff.Backoff;
import java.time.Duration;

/** Took the nominal time of the explanation for a wait. */
public final class WaitsTheNominalTime {

    private WaitsTheNominalTime() {}

    static Duration wait(int attempt) {
        return Backoff.standard().ladder(attempt).rung(attempt).nominal();
    }
}
