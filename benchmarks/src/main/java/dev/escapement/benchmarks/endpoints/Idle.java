package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.endpoints.Subject.Tally;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What it costs that nothing is due. */
final class Idle {

    private static final int ENDPOINTS = 1_000;
    private static final Duration LATER = Duration.ofHours(2);

    private Idle() {}

    /** Statements per minute, with endpoints that are due in two hours. */
    static double measure(Runner runner, String place, Duration time) throws IOException {
        try (Child child = runner.start(Runner.with(Knobs.DEFAULTS, place))) {
            Timetable timetable =
                    new Timetable(ENDPOINTS, Instant.now().plus(LATER), Duration.ZERO, LATER, 0, List.of(9));
            child.order("begin " + timetable.write());
            Runner.pause(Duration.ofSeconds(3));
            Tally before = Tally.read(child.order("tally"));
            Runner.pause(time);
            Tally did = Tally.read(child.order("tally")).since(before);
            return did.statements() * 60e3 / time.toMillis();
        }
    }
}
