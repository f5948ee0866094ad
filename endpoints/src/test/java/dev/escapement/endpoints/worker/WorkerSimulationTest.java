package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Thousands of lives. One that breaks a promise prints its seed and its story; this lives it again:
 *
 * <pre>mvn test -pl endpoints -am -Dtest=WorkerSimulationTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Descapement.life=SEED</pre>
 */
@Tag("exhaustive")
class WorkerSimulationTest {

    private static final int LIVES = 2_000;
    private static final int LAST_WORDS = 60;

    @Test
    void everyLifeKeepsThePromises() {
        String replay = System.getProperty("escapement.life", "");
        LongStream seeds = replay.isEmpty() ? LongStream.range(0, LIVES) : LongStream.of(Long.parseLong(replay));
        seeds.parallel()
                .mapToObj(seed -> failureOf(seed, Sabotage.NONE))
                .flatMap(Optional::stream)
                .findAny()
                .ifPresent(failure -> {
                    throw new AssertionError(failure);
                });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aWorldWithoutAGuardIsNoticed(Sabotage sabotage) {
        Optional<String> failure = LongStream.range(0, LIVES)
                .mapToObj(seed -> failureOf(seed, sabotage))
                .flatMap(Optional::stream)
                .findFirst();

        assertThat(failure).describedAs(sabotage + " in " + LIVES + " lives").isPresent();
        System.out.println(sabotage + ": " + failure.get().lines().findFirst().orElseThrow());
    }

    private static Optional<String> failureOf(long seed, Sabotage sabotage) {
        Life life = new Life(seed, sabotage);
        try {
            life.live();
            return Optional.empty();
        } catch (AssertionError | RuntimeException broken) {
            int from = System.getProperty("escapement.life", "").isEmpty()
                    ? Math.max(0, life.story().size() - LAST_WORDS)
                    : 0;
            return Optional.of("%s (-Descapement.life=%d)%n  %s"
                    .formatted(
                            broken,
                            seed,
                            String.join(
                                    "\n  ",
                                    life.story().subList(from, life.story().size()))));
        }
    }
}
