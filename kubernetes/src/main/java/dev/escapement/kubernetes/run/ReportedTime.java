package dev.escapement.kubernetes.run;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A time that Kubernetes reports. It has whole seconds and means some moment within that second, but the start of an
 * execution is known exactly: without a correction, short runs would take no time or end before they began.
 */
public final class ReportedTime {

    private static final Duration REST_OF_SECOND = Duration.ofMillis(999);

    private ReportedTime() {}

    /** Returns the moment within the reported second that is nearest to the time of the observation. */
    public static Instant within(Instant reported, Instant observedAt) {
        if (!reported.equals(reported.truncatedTo(ChronoUnit.SECONDS)) || observedAt.isBefore(reported)) {
            return reported;
        }
        Instant latest = reported.plus(REST_OF_SECOND);
        return observedAt.isAfter(latest) ? latest : observedAt;
    }
}
