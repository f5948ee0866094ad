package dev.escapement.architecture.offenders;

import java.time.Instant;

/** Asks the machine for the time. */
public final class ReadsTheClock {

    private ReadsTheClock() {}

    static Instant now() {
        return Instant.now();
    }
}
