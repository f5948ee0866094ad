package dev.escapement.notifications.audit.sink;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What the sink answered to a batch. */
public sealed interface SinkResponse {

    /** The sink has stored the records. */
    record Accepted() implements SinkResponse {}

    /**
     * The sink does not accept one of the records, however often it is sent.
     *
     * @param status of HTTP
     */
    record Refused(int status, String error) implements SinkResponse {}

    /**
     * The sink cannot store records now, or it is not known whether it has.
     *
     * @param retryAfter what the sink asked for
     */
    record Unavailable(String error, Optional<Duration> retryAfter) implements SinkResponse {}

    /**
     * Statuses of a wrong address, a wrong token or an overloaded sink: they say nothing about a record, so that a
     * setting that is corrected later loses nothing.
     */
    Set<Integer> RETRIED_CLIENT_ERRORS = Set.of(401, 403, 404, 405, 407, 408, 421, 425, 429);

    /** Returns the meaning of a status. */
    static SinkResponse ofStatus(int status, String error, Optional<Duration> retryAfter) {
        if (status >= 200 && status < 300) {
            return new Accepted();
        }
        boolean refused = status >= 400 && status < 500 && !RETRIED_CLIENT_ERRORS.contains(status);
        return refused
                ? new Refused(status, error)
                : new Unavailable("status " + status + (error.isEmpty() ? "" : ": " + error), retryAfter);
    }
}
