package dev.escapement.crashtests.cluster.proxy;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Probabilities of injected faults; at most one of them is drawn per request.
 *
 * @param throttled response 429, the request is not executed
 * @param serverError response 500, the request is not executed
 * @param falseError response 500, the request is executed
 * @param connectionCut the connection is closed without a response, the request is executed
 * @param maxDelay maximum additional delay of a request
 */
public record FaultRates(
        double throttled, double serverError, double falseError, double connectionCut, Duration maxDelay) {

    public static final FaultRates NO_FAULTS = new FaultRates(0, 0, 0, 0, Duration.ZERO);

    /** One request in five gets a fault, of every kind. */
    public static final FaultRates ALL_FAULTS = new FaultRates(0.06, 0.06, 0.05, 0.03, Duration.ofMillis(60));

    /** A fault of one request. */
    public enum InjectedFault {
        NONE,
        THROTTLED,
        SERVER_ERROR,
        FALSE_ERROR,
        CONNECTION_CUT;

        /** All faults, without {@link #NONE}. */
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
