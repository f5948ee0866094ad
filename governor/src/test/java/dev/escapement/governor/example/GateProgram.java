package dev.escapement.governor.example;

import java.time.Instant;
import java.util.function.Supplier;

/** Runs {@link GateExample} once. */
public final class GateProgram implements Supplier<String> {

    @Override
    public String get() {
        return new GateExample()
                .runOnce("e1", "repair", "Node/worker-1", () -> {}, Instant.parse("2026-11-15T12:00:00Z"));
    }
}
