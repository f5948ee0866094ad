package dev.escapement.governor.failure;

import java.util.Locale;

/** Interprets the HTTP status of a request to create or start a run. */
public final class HttpStatusClassifier {

    private HttpStatusClassifier() {}

    /**
     * Returns whether the same request may succeed later. Such a request is retried and does not count as a failure:
     * timeouts (408, 504), too early (425), too many requests (429), conflicts (409) and server errors (5xx).
     *
     * <p>Every status that is not an HTTP error is transient too: clients report a missing response as 0 or -1, and a
     * proxy may return anything. Whether the request was executed is then unknown until the state is read again.
     */
    public static boolean isTransient(int status) {
        return switch (status) {
            case 408, 409, 425, 429 -> true;
            default -> status < 400 || status > 499;
        };
    }

    /**
     * Returns why the run was refused. The message only distinguishes an exceeded quota from missing rights, which have
     * the same status.
     */
    static FailureReason reasonFor(int status, String message) {
        return switch (status) {
            case 401 -> FailureReason.Forbidden;
            case 403 ->
                message.toLowerCase(Locale.ROOT).contains("quota")
                        ? FailureReason.ResourceExhausted
                        : FailureReason.Forbidden;
            // 404: no such namespace, resource type or bundle. 400: an admission webhook, 422: the schema, 413: the
            // size of the parameters. A retry does not help.
            case 400, 404, 413, 422 -> FailureReason.ConfigurationError;
            default -> FailureReason.PipelineRunCreationFailed;
        };
    }
}
