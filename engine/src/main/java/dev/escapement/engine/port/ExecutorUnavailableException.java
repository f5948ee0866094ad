package dev.escapement.engine.port;

import java.time.Instant;

/**
 * Thrown by a runner whose executor does not accept a request at the moment. The request had no effect, or one that a
 * retry finds. The engine limits how long such a request is retried.
 */
public final class ExecutorUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Instant since;

    /** @param since when the runner first saw that the executor does not accept this request */
    public ExecutorUnavailableException(String message, Instant since, Throwable cause) {
        super(message, cause);
        this.since = since;
    }

    public Instant since() {
        return since;
    }
}
