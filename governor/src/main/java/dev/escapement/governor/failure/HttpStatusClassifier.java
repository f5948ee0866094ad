package dev.escapement.governor.failure;

import java.util.Locale;

/** What an HTTP status says about a request to create or start a run. */
public final class HttpStatusClassifier {

    private HttpStatusClassifier() {}

    /**
     * Whether the same request may succeed in a moment: then it is no failure, costs no attempt and is simply made
     * again. Timeouts (408, 504), too early (425), too many (429), conflicts (409: somebody was faster, look again),
     * and everything that is the server's own trouble (5xx).
     *
     * <p>So is every number that is no refusal at all: clients report that no answer came as 0 or -1, and a proxy may
     * answer anything. Nobody knows then whether the request was carried out, and only the next look can tell.
     */
    public static boolean isTransient(int status) {
        return switch (status) {
            case 408, 409, 425, 429 -> true;
            default -> status < 400 || status > 499;
        };
    }

    /**
     * Why the run does not exist. The message serves only to tell quota from rights, for which the status is the same.
     */
    static FailureReason reasonFor(int status, String message) {
        return switch (status) {
            case 401 -> FailureReason.Forbidden;
            case 403 ->
                message.toLowerCase(Locale.ROOT).contains("quota")
                        ? FailureReason.ResourceExhausted
                        : FailureReason.Forbidden;
            // No such namespace, resource type or bundle; or the server understood the run and found it wrong (400 is
            // what an
            // admission webhook answers, 422 the schema, 413 the size of the parameters): it will not get better by
            // itself.
            case 400, 404, 413, 422 -> FailureReason.ConfigurationError;
            default -> FailureReason.PipelineRunCreationFailed;
        };
    }
}
