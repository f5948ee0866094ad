package dev.escapement.benchmarks.endpoints;

import java.time.Duration;
import java.util.List;

/**
 * The size of the benchmark.
 *
 * @param warmUp rounds that are not counted
 * @param rounds rounds that are counted
 * @param sustainedCount endpoints that are due at once in the sustained scenario
 * @param steadyTime duration of the scenario with 1,000 calls per second
 * @param idleTime how long no endpoint is due in the idle measurement
 * @param historyRuns runs in the history
 */
record EndpointsBenchmarkPlan(
        int warmUp, int rounds, int sustainedCount, Duration steadyTime, Duration idleTime, int historyRuns) {

    static final EndpointsBenchmarkPlan FULL =
            new EndpointsBenchmarkPlan(4, 5, 20_000, Duration.ofSeconds(60), Duration.ofSeconds(120), 1_000_000);
    static final EndpointsBenchmarkPlan QUICK =
            new EndpointsBenchmarkPlan(2, 3, 6_000, Duration.ofSeconds(10), Duration.ofSeconds(60), 100_000);

    private static final Duration NO_DELAY = Duration.ZERO;
    private static final DbSchedulerSettings DB_SCHEDULER = new DbSchedulerSettings(50, 20, 1.0, 4.0, 10);

    /** Settings that are fast on two cores; the best result of them is compared. */
    private static final List<DbSchedulerSettings> DB_SCHEDULER_VARIANTS = List.of(
            DB_SCHEDULER,
            new DbSchedulerSettings(20, 20, 1.0, 4.0, 10),
            new DbSchedulerSettings(100, 40, 1.0, 4.0, 10));

    /** One call holds a thread for 200 ms. */
    private static final List<DbSchedulerSettings> DB_SCHEDULER_SLOW_VARIANTS =
            List.of(new DbSchedulerSettings(1_000, 20, 0.5, 1.0, 10), new DbSchedulerSettings(3_000, 40, 0.5, 1.0, 10));

    EndpointsScenario defaultsScenario() {
        return burstScenario(
                "1,000 due at once, sink responds at once",
                1_000,
                NO_DELAY,
                ConcurrencyLimits.DEFAULTS,
                List.of(DB_SCHEDULER));
    }

    EndpointsScenario fastScenario() {
        return burstScenario(
                "3,000 due at once, sink responds at once",
                3_000,
                NO_DELAY,
                ConcurrencyLimits.uniform(512),
                DB_SCHEDULER_VARIANTS);
    }

    EndpointsScenario slowScenario() {
        return burstScenario(
                "3,000 due at once, sink responds after 200 ms",
                3_000,
                Duration.ofMillis(200),
                ConcurrencyLimits.uniform(3_000),
                DB_SCHEDULER_SLOW_VARIANTS);
    }

    private EndpointsScenario burstScenario(
            String title,
            int count,
            Duration delay,
            ConcurrencyLimits limits,
            List<DbSchedulerSettings> dbSchedulerVariants) {
        return new EndpointsScenario(
                title, count, Duration.ZERO, Duration.ofSeconds(8), warmUp, rounds, delay, limits, dbSchedulerVariants);
    }

    EndpointsScenario sustainedScenario() {
        return new EndpointsScenario(
                "%,d due at once, sink responds at once".formatted(sustainedCount),
                sustainedCount,
                Duration.ZERO,
                Duration.ofSeconds(20),
                1,
                2,
                NO_DELAY,
                ConcurrencyLimits.uniform(512),
                List.of(DB_SCHEDULER));
    }

    /** Every endpoint is due in a millisecond of its own, every ten seconds. */
    EndpointsScenario steadyScenario() {
        return new EndpointsScenario(
                "1,000 due per second, evenly, for %d s".formatted(steadyTime.toSeconds()),
                10_000,
                Duration.ofMillis(1),
                Duration.ofSeconds(10),
                1,
                (int) (steadyTime.toSeconds() / 10),
                NO_DELAY,
                ConcurrencyLimits.uniform(512),
                List.of(DB_SCHEDULER));
    }

    List<EndpointsScenario> scenarios() {
        return List.of(defaultsScenario(), fastScenario(), slowScenario(), sustainedScenario(), steadyScenario());
    }

    EndpointsScenario historyScenario() {
        return burstScenario(
                "with and without a history", 3_000, NO_DELAY, ConcurrencyLimits.uniform(512), List.of(DB_SCHEDULER));
    }
}
