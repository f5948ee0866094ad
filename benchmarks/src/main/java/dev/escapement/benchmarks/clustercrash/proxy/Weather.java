package dev.escapement.benchmarks.clustercrash.proxy;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How badly the API server treats those who ask. The parts are probabilities, taken in this order.
 *
 * @param busy answered with 429 and not done
 * @param broken answered with 500 and not done
 * @param unanswered done, and answered with 500
 * @param cut done, and the connection ends without an answer
 * @param slow takes up to that much longer
 */
public record Weather(double busy, double broken, double unanswered, double cut, Duration slow) {

    /** As it should be. */
    public static final Weather FAIR = new Weather(0, 0, 0, 0, Duration.ZERO);

    /** One call in five goes wrong, in every way. */
    public static final Weather FOUL = new Weather(0.06, 0.06, 0.05, 0.03, Duration.ofMillis(60));

    /** What happens to one call. */
    public enum Mishap {
        /** Nothing. */
        NONE,
        /** It is refused for now. */
        BUSY,
        /** It fails. */
        BROKEN,
        /** It is done, and said to have failed. */
        UNANSWERED,
        /** It is done, and nothing is said. */
        CUT;

        /** Those that are something. */
        public static final List<Mishap> ALL = List.of(BUSY, BROKEN, UNANSWERED, CUT);
    }

    Mishap draw(SplittableRandom random) {
        double drawn = random.nextDouble();
        if (drawn < busy) {
            return Mishap.BUSY;
        } else if (drawn < busy + broken) {
            return Mishap.BROKEN;
        } else if (drawn < busy + broken + unanswered) {
            return Mishap.UNANSWERED;
        }
        return drawn < busy + broken + unanswered + cut ? Mishap.CUT : Mishap.NONE;
    }

    Duration delay(SplittableRandom random) {
        return slow.isZero() ? Duration.ZERO : Duration.ofNanos(random.nextLong(slow.toNanos()));
    }
}
