package dev.escapement.crashtests.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Records which planned faults were injected: without its fault a scenario tests nothing. */
final class FaultCoverage {

    /** A moment can be missed by chance, but hardly three times. */
    private static final int MAX_TRIES = 3;

    private final Map<String, Integer> injected = new TreeMap<>();
    private final List<String> missed = new ArrayList<>();

    /** Injects a fault. */
    @FunctionalInterface
    interface Attempt {
        /** Returns whether the fault happened at the planned moment. */
        boolean inject() throws InterruptedException;
    }

    /** Tries to inject the fault, at most three times. */
    void tryFault(String fault, Attempt attempt) throws InterruptedException {
        for (int i = 0; i < MAX_TRIES; i++) {
            if (attempt.inject()) {
                addInjected(fault);
                return;
            }
        }
        missed.add(fault);
    }

    void addInjected(String fault) {
        injected.merge(fault, 1, Integer::sum);
    }

    /** Returns how often each fault was injected. */
    Map<String, Integer> injected() {
        return injected;
    }

    /** Returns the faults that could not be injected. */
    List<String> missed() {
        return missed;
    }
}
