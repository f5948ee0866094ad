package dev.escapement.testkit;

import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Checks that a statement holds for generated values, with new seeds on every run. A failure prints its seed and size;
 * this replays it:
 *
 * <pre>mvn test -pl MODULE -Dtest=CLASS#METHOD -Descapement.seed=SEED:SIZE</pre>
 */
public final class Property {

    private static final String REPLAY_PROPERTY = "escapement.seed";

    private Property() {}

    /** A statement; throws if it does not hold. */
    @FunctionalInterface
    public interface Body {
        /** Checks one case. */
        void check(Generator gen) throws Exception;
    }

    /**
     * Checks {@code cases} cases of growing size.
     *
     * @throws AssertionError at the first that fails, with the smallest size at which its seed still fails
     */
    public static void forAll(int cases, Body body) {
        String replay = System.getProperty(REPLAY_PROPERTY, "");
        if (!replay.isEmpty()) {
            String[] seedAndSize = replay.split(":", 2);
            runCase(Long.parseLong(seedAndSize[0]), Integer.parseInt(seedAndSize[1]), body);
            return;
        }
        SplittableRandom seeds = new SplittableRandom();
        for (int i = 0; i < cases; i++) {
            runCase(seeds.nextLong(), cases == 1 ? Generator.MAX_SIZE : i * Generator.MAX_SIZE / (cases - 1), body);
        }
    }

    private static void runCase(long seed, int size, Body body) {
        if (findFailure(seed, size, body).isEmpty()) {
            return;
        }
        for (int smaller = 0; smaller <= size; smaller++) {
            Optional<Throwable> failure = findFailure(seed, smaller, body);
            if (failure.isPresent()) {
                throw replayError(seed, smaller, failure.get());
            }
        }
        throw new AssertionError(
                "seed %d at size %d failed once and then passed: the test is not deterministic".formatted(seed, size));
    }

    private static AssertionError replayError(long seed, int size, Throwable failure) {
        return new AssertionError(
                "%s%n(replay this case with -D%s=%d:%d)".formatted(failure.getMessage(), REPLAY_PROPERTY, seed, size),
                failure);
    }

    private static Optional<Throwable> findFailure(long seed, int size, Body body) {
        try {
            body.check(new Generator(seed, size));
            return Optional.empty();
        } catch (Exception | AssertionError failure) {
            return Optional.of(failure);
        }
    }
}
