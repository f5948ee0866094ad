package dev.escapement.benchmarks.clustercrash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which faults were made as planned: where nothing was broken, nothing was shown. */
final class Coverage {

    /** A moment can be missed by chance, but not again and again. */
    private static final int MOST_TRIES = 3;

    private final Map<String, Integer> made = new TreeMap<>();
    private final List<String> missed = new ArrayList<>();

    /** Returns whether the fault was made where it was meant to be. */
    @FunctionalInterface
    interface Attempt {
        boolean hits() throws InterruptedException;
    }

    /** Tries a few times. */
    void make(String fault, Attempt attempt) throws InterruptedException {
        for (int i = 0; i < MOST_TRIES; i++) {
            if (attempt.hits()) {
                made(fault);
                return;
            }
        }
        missed.add(fault);
    }

    /** One that cannot miss. */
    void made(String fault) {
        made.merge(fault, 1, Integer::sum);
    }

    /** How often each was made. */
    Map<String, Integer> made() {
        return made;
    }

    /** What was planned, tried and never made. */
    List<String> missed() {
        return missed;
    }
}
