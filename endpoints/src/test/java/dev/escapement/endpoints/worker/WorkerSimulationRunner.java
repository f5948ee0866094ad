package dev.escapement.endpoints.worker;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Runs {@link WorkerSimulation}s. A failure prints its seed and the last events; this replays one seed with all events:
 *
 * <pre>mvn test -pl endpoints -am -Dtest=WorkerSimulationTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Descapement.simulation.seed=SEED</pre>
 */
final class WorkerSimulationRunner {

    private static final String REPLAY_PROPERTY = "escapement.simulation.seed";
    private static final int MAX_LOG_LINES = 60;

    private WorkerSimulationRunner() {}

    /** Runs the seeds from 0, or the one given by the system property; throws the first failure. */
    static void checkSeeds(int count) {
        Long replay = Long.getLong(REPLAY_PROPERTY);
        (replay == null ? LongStream.range(0, count) : LongStream.of(replay))
                .parallel()
                .mapToObj(seed -> findFailure(seed, DisabledSafeguard.NONE))
                .flatMap(Optional::stream)
                .findAny()
                .ifPresent(failure -> {
                    throw new AssertionError(failure);
                });
    }

    static Optional<String> findFailure(long seed, DisabledSafeguard disabledSafeguard) {
        WorkerSimulation simulation = new WorkerSimulation(seed, disabledSafeguard);
        try {
            simulation.run();
            return Optional.empty();
        } catch (AssertionError | RuntimeException failure) {
            List<String> log = simulation.eventLog();
            int from = Long.getLong(REPLAY_PROPERTY) == null ? Math.max(0, log.size() - MAX_LOG_LINES) : 0;
            return Optional.of("%s (replay with -D%s=%d)%n  %s"
                    .formatted(failure, REPLAY_PROPERTY, seed, String.join("\n  ", log.subList(from, log.size()))));
        }
    }
}
