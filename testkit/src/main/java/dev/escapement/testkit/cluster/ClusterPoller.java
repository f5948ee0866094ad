package dev.escapement.testkit.cluster;

import dev.escapement.testkit.ConditionPoller;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Polls until a condition of the cluster is true: a port is open, a file exists, a server is ready. */
public final class ClusterPoller {

    private ClusterPoller() {}

    /**
     * Returns when the condition is true.
     *
     * @param failure returns the message of the exception after the deadline
     */
    public static void waitUntil(BooleanSupplier condition, Duration deadline, Supplier<String> failure) {
        if (!ConditionPoller.isTrueWithin(deadline, condition::getAsBoolean)) {
            throw new ClusterException(failure.get());
        }
    }
}
