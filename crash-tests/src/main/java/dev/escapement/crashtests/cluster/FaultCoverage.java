package dev.escapement.crashtests.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which faults were made as planned: where nothing was broken, nothing was shown. */
final class FaultCoverage {

    /** A moment can be missed by chance, but not again and again. */
    private static final int MAX_TRIES = 3;

    private final Map<String, Integer> made = new TreeMap<>();
    private final List<String> missed = new ArrayList<>();

    /** Returns whether the fault was made where it was meant to be. */
    @FunctionalInterface
    interface Attempt {
        boolean makeFault() throws InterruptedException;
    }

    /** Tries a few times. */
    void tryFault(String fault, Attempt attempt) throws InterruptedException {
        for (int i = 0; i < MAX_TRIES; i++) {
            if (attempt.makeFault()) {
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
