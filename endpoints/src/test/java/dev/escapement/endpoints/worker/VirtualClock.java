package dev.escapement.endpoints.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that a test moves. */
final class VirtualClock implements InstantSource {

    private Instant now = Instant.parse("2026-11-16T00:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    void advance(Duration by) {
        now = now.plus(by);
    }

    /** Never back. */
    void moveTo(Instant time) {
        now = time.isAfter(now) ? time : now;
    }
}
