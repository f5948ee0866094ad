package dev.escapement.endpoints.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that the test advances. */
final class VirtualClock implements InstantSource {

    private Instant now = Instant.parse("2026-11-16T00:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    void advance(Duration by) {
        now = now.plus(by);
    }

    /** Advances to that time, never back. */
    void moveTo(Instant time) {
        now = time.isAfter(now) ? time : now;
    }
}
