package dev.escapement.architecture.offenders;

import java.util.concurrent.ThreadLocalRandom;

/** Draws from a source that nobody passed. */
public final class TakesChances {

    private TakesChances() {}

    static long draw() {
        return ThreadLocalRandom.current().nextLong();
    }
}
