package dev.escapement.benchmarks.endpoints;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param warmUp rounds that are not counted
 * @param rounds that are
 * @param sustained how many are due at once to see what holds for longer
 * @param steady for how long a thousand calls are made every second
 * @param idle for how long nothing is due
 * @param history how many runs there were
 */
record Plan(int warmUp, int rounds, int sustained, Duration steady, Duration idle, int history) {

    static final Plan FULL = new Plan(4, 5, 20_000, Duration.ofSeconds(60), Duration.ofSeconds(120), 1_000_000);
    static final Plan QUICK = new Plan(2, 3, 6_000, Duration.ofSeconds(10), Duration.ofSeconds(60), 100_000);

    private static final Duration NO_DELAY = Duration.ZERO;
    private static final PeerKnobs PEER = new PeerKnobs(50, 20, 1.0, 4.0, 10);

    /** Around what suits it on two cores; it is compared by the best of them. */
    private static final List<PeerKnobs> PEERS =
            List.of(PEER, new PeerKnobs(20, 20, 1.0, 4.0, 10), new PeerKnobs(100, 40, 1.0, 4.0, 10));

    /** One call holds a thread for 200 ms. */
    private static final List<PeerKnobs> PEERS_OF_SLOW =
            List.of(new PeerKnobs(1_000, 20, 0.5, 1.0, 10), new PeerKnobs(3_000, 40, 0.5, 1.0, 10));

    Scenario defaults() {
        return atOnce("1,000 due at once, sink answers at once", 1_000, NO_DELAY, Knobs.DEFAULTS, List.of(PEER));
    }

    Scenario fast() {
        return atOnce("3,000 due at once, sink answers at once", 3_000, NO_DELAY, Knobs.both(512), PEERS);
    }

    Scenario slow() {
        return atOnce(
                "3,000 due at once, sink answers after 200 ms",
                3_000,
                Duration.ofMillis(200),
                Knobs.both(3_000),
                PEERS_OF_SLOW);
    }

    private Scenario atOnce(String title, int count, Duration delay, Knobs knobs, List<PeerKnobs> peers) {
        return new Scenario(title, count, Duration.ZERO, Duration.ofSeconds(8), warmUp, rounds, delay, knobs, peers);
    }

    Scenario longer() {
        return new Scenario(
                "%,d due at once, sink answers at once".formatted(sustained),
                sustained,
                Duration.ZERO,
                Duration.ofSeconds(20),
                1,
                2,
                NO_DELAY,
                Knobs.both(512),
                List.of(PEER));
    }

    /** Every endpoint has a millisecond of its own in every ten seconds. */
    Scenario steadily() {
        return new Scenario(
                "1,000 due per second, evenly, for %d s".formatted(steady.toSeconds()),
                10_000,
                Duration.ofMillis(1),
                Duration.ofSeconds(10),
                1,
                (int) (steady.toSeconds() / 10),
                NO_DELAY,
                Knobs.both(512),
                List.of(PEER));
    }

    List<Scenario> scenarios() {
        return List.of(defaults(), fast(), slow(), longer(), steadily());
    }

    Scenario withHistory() {
        return atOnce("with and without a history", 3_000, NO_DELAY, Knobs.both(512), List.of(PEER));
    }
}
