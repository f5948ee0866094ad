package dev.escapement.crashtests.cluster.proxy;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How badly the API server treats those who ask. The parts are probabilities, taken in this order.
 *
 * @param throttled answered with 429 and not done
 * @param serverError answered with 500 and not done
 * @param falseError done, and answered with 500
 * @param connectionCut done, and the connection ends without an answer
 * @param maxDelay takes up to that much longer
 */
public record FaultRates(
        double throttled, double serverError, double falseError, double connectionCut, Duration maxDelay) {

    /** As it should be. */
    public static final FaultRates NO_FAULTS = new FaultRates(0, 0, 0, 0, Duration.ZERO);

    /** One call in five goes wrong, in every way. */
    public static final FaultRates ALL_FAULTS = new FaultRates(0.06, 0.06, 0.05, 0.03, Duration.ofMillis(60));

    /** What happens to one call. */
    public enum InjectedFault {
        /** Nothing. */
        NONE,
        /** It is refused for now. */
        THROTTLED,
        /** It fails. */
        SERVER_ERROR,
        /** It is done, and said to have failed. */
        FALSE_ERROR,
        /** It is done, and nothing is said. */
        CONNECTION_CUT;

        /** Those that are something. */
        public static final List<InjectedFault> ALL = List.of(THROTTLED, SERVER_ERROR, FALSE_ERROR, CONNECTION_CUT);
    }

    InjectedFault draw(SplittableRandom random) {
        double drawn = random.nextDouble();
        if (drawn < throttled) {
            return InjectedFault.THROTTLED;
        } else if (drawn < throttled + serverError) {
            return InjectedFault.SERVER_ERROR;
        } else if (drawn < throttled + serverError + falseError) {
            return InjectedFault.FALSE_ERROR;
        }
        return drawn < throttled + serverError + falseError + connectionCut
                ? InjectedFault.CONNECTION_CUT
                : InjectedFault.NONE;
    }

    Duration drawDelay(SplittableRandom random) {
        return maxDelay.isZero() ? Duration.ZERO : Duration.ofNanos(random.nextLong(maxDelay.toNanos()));
    }
}
