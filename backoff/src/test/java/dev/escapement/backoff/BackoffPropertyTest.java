package dev.escapement.backoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffPropertyTest {

    @Test
    void drawsDelaysWithinBounds() {
        Property.forAll(2_000, gen -> {
            Backoff backoff = anyBackoff(gen);
            BackoffSettings settings = backoff.settings();
            int attempt = anyAttempt(gen);
            Duration lowest = Duration.ofNanos(backoff.lowestNanos(backoff.nominalNanos(attempt)));
            Duration highest = Duration.ofNanos(backoff.highestNanos(backoff.nominalNanos(attempt)));

            assertThat(backoff.delay(attempt)).isBetween(lowest, highest);
            assertThat(backoff.delay(attempt, gen.random())).isBetween(lowest, highest);
            assertThat(backoff.delay(attempt, gen.text(40))).isBetween(lowest, highest);
            assertThat(highest).isLessThanOrEqualTo(settings.max());
            if (settings.spread() == Spread.PERCENT && !settings.isConstant()) {
                assertThat(lowest).isGreaterThanOrEqualTo(settings.base());
            }
        });
    }

    @Test
    void keepsJitterWithinPercentage() {
        Property.forAll(2_000, gen -> {
            Backoff backoff = anyBackoff(gen);
            if (backoff.settings().spread() != Spread.PERCENT) {
                return;
            }
            long nominal = backoff.nominalNanos(anyAttempt(gen));
            BigDecimal jitter = BigDecimal.valueOf(nominal)
                    .multiply(BigDecimal.valueOf(backoff.settings().jitterPercent(), 2));
            assertThat(BigDecimal.valueOf(nominal - backoff.lowestNanos(nominal)))
                    .isLessThanOrEqualTo(jitter);
            assertThat(BigDecimal.valueOf(backoff.highestNanos(nominal) - nominal))
                    .isLessThanOrEqualTo(jitter);
        });
    }

    @Test
    void nominalDelaysNeverDecrease() {
        Property.forAll(2_000, gen -> {
            Backoff backoff = anyBackoff(gen);
            int attempt = gen.between(Integer.MIN_VALUE, Integer.MAX_VALUE - 1);
            int later = gen.between(attempt, Integer.MAX_VALUE);
            assertThat(backoff.nominalNanos(later)).isGreaterThanOrEqualTo(backoff.nominalNanos(attempt));
            int low = gen.between(1, NominalDelays.MAX_EXACT_ATTEMPTS + 5);
            assertThat(backoff.nominalNanos(low + 1)).isGreaterThanOrEqualTo(backoff.nominalNanos(low));
        });
    }

    @Test
    void nominalDelaysEqualExactArithmetic() {
        Property.forAll(1_000, gen -> {
            Backoff backoff = anyBackoff(gen);
            int attempt = gen.between(1, 200);
            assertThat(backoff.nominalNanos(attempt))
                    .describedAs("%s at attempt %s", backoff, attempt)
                    .isEqualTo(exactNominalNanos(backoff.settings(), attempt));
        });
    }

    @Test
    void reachesDistantMaxInFloatingPoint() {
        // Exact arithmetic of thousands of attempts takes long.
        Property.forAll(30, gen -> {
            Backoff slow = Backoff.builder()
                    .base(Duration.ofMillis(gen.between(1, 1000)))
                    .max(Duration.ofDays(gen.between(1, 10_000)))
                    .multiplier(gen.between(1.0005, 1.005))
                    .build();
            int attempt = gen.between(NominalDelays.MAX_EXACT_ATTEMPTS + 1, 4_000);
            long exact = exactNominalNanos(slow.settings(), attempt);
            assertThat((double) slow.nominalNanos(attempt))
                    .isCloseTo((double) exact, within(Math.max(1.0, exact * 1e-15)));
        });
    }

    @Test
    void drawsBeyondExactAttemptsCoverTheirWindow() {
        Backoff slow = Backoff.builder()
                .base(Duration.ofSeconds(1))
                .max(Duration.ofDays(10))
                .multiplier(1.001)
                .build();
        for (int attempt : new int[] {NominalDelays.MAX_EXACT_ATTEMPTS, NominalDelays.MAX_EXACT_ATTEMPTS + 1, 5_000}) {
            long nominal = slow.nominalNanos(attempt);
            assertThat(nominal).isEqualTo(exactNominalNanos(slow.settings(), attempt));
            int above = 0;
            for (int i = 0; i < 100; i++) {
                long draw = slow.delayNanos(attempt, "key-" + i);
                assertThat(draw).isBetween(slow.lowestNanos(nominal), slow.highestNanos(nominal));
                above += draw > nominal ? 1 : 0;
            }
            assertThat(above).isBetween(30, 70);
        }
    }

    @Test
    void acceptsMultiplierJustAboveOne() {
        Backoff crawling = Backoff.builder().multiplier(Math.nextUp(1.0)).build();
        assertThat(crawling.nominalNanos(Integer.MAX_VALUE))
                .isGreaterThan(crawling.nominalNanos(1))
                .isLessThan(crawling.settings().max().toNanos());
    }

    @Test
    void ladderSumsDelaysAndFitsItsLongestTotal() {
        Property.forAll(500, gen -> {
            Backoff backoff = anyBackoff(gen);
            int attempts = gen.length(1, 60);
            Ladder ladder = backoff.ladder(attempts);
            Duration highest = ladder.rungs().stream().map(Ladder.Rung::highest).reduce(Duration.ZERO, Duration::plus);
            Duration lowest = ladder.rungs().stream().map(Ladder.Rung::lowest).reduce(Duration.ZERO, Duration::plus);
            Duration nominal = ladder.rungs().stream().map(Ladder.Rung::nominal).reduce(Duration.ZERO, Duration::plus);
            assertThat(ladder.rungs()).hasSize(attempts);
            assertThat(ladder.rung(attempts).cumulative()).isEqualTo(nominal);
            assertThat(ladder.rung(attempts).cumulativeLowest()).isEqualTo(lowest);
            assertThat(ladder.longestTotal()).isEqualTo(highest);
            assertThat(ladder.fitsWithin(highest)).isTrue();
            assertThat(ladder.fitsWithin(highest.minusNanos(1))).isFalse();
        });
    }

    private static long exactNominalNanos(BackoffSettings settings, int attempt) {
        int exponent = Math.min(attempt - 1, settings.maxExponent());
        BigDecimal nanos = new BigDecimal(settings.multiplier())
                .pow(exponent)
                .multiply(BigDecimal.valueOf(settings.base().toNanos()));
        return nanos.setScale(0, RoundingMode.HALF_UP)
                .min(BigDecimal.valueOf(settings.max().toNanos()))
                .longValueExact();
    }

    private static int anyAttempt(Generator gen) {
        return gen.oneIn(4) ? gen.oneOf(31, 63, 64, 1_000_000_000, Integer.MAX_VALUE) : gen.between(-1, 80);
    }

    private static Backoff anyBackoff(Generator gen) {
        long base = gen.magnitude(BackoffSettings.LONGEST.toNanos());
        long room = BackoffSettings.LONGEST.toNanos() - base;
        Backoff.Builder builder = Backoff.builder()
                .base(Duration.ofNanos(base))
                .max(Duration.ofNanos(base + gen.magnitude(room)))
                .multiplier(gen.oneOf(1.0, 1.1, 1.5, 2.0, 3.0, 10.0, gen.between(1.0, 10.0)))
                .jitterPercent(gen.between(0, 50))
                .spread(gen.oneOf(Spread.PERCENT, Spread.PERCENT, Spread.FULL, Spread.EQUAL));
        return gen.oneIn(3) ? builder.maxExponent(gen.between(0, 70)).build() : builder.build();
    }
}
