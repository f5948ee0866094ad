package dev.escapement.endpoints;

import dev.escapement.governor.plan.RunHistory;
import java.time.Instant;
import java.util.Optional;

/**
 * An endpoint: what people say of it, what happened, and what comes next.
 *
 * @param id never changes and is never used again; the key of its jitter
 * @param history with every run counted that has ended
 * @param number of the next run, from 1; together with the id it names the occurrence, whoever attempts it
 * @param planned the next run
 * @param remedy what became of the last wish for a remediation
 */
public record Endpoint(
        String id,
        Instant createdAt,
        Definition definition,
        Steering steering,
        RunHistory history,
        long number,
        Planned planned,
        Optional<Remedy> remedy) {

    /** The same with what people now say, and the plan that follows from it. */
    public Endpoint changed(Definition definition, Steering steering, RunHistory history, Planned planned) {
        return new Endpoint(id, createdAt, definition, steering, history, number, planned, remedy);
    }

    /** Names the next run: the same for every attempt at it, and no other run's. Safe in a URL and in a header. */
    public String occurrence() {
        return occurrence(id, number);
    }

    /** Names a run. */
    public static String occurrence(String id, long number) {
        return id + "-" + number;
    }
}
