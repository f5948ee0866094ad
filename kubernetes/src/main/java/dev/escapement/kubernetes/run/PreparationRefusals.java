package dev.escapement.kubernetes.run;

import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Optional;

/** Converts reasons why a run cannot be created. */
final class PreparationRefusals {

    private PreparationRefusals() {}

    /** The API server refused to create the run. */
    static Preparation of(KubernetesClientException refused, Instant at) {
        return new Preparation.Refused(RunFacts.of(RunEnd.REFUSED, at)
                .withReason(reason(refused), message(refused))
                .withHttpStatus(refused.getCode()));
    }

    /** The execution was rejected without a request to the API server. */
    static Preparation of(RunRejection rejection, Instant at) {
        return new Preparation.Refused(
                RunFacts.of(rejection.end(), at).withReason(rejection.reason(), rejection.message()));
    }

    /** The name of the run is in use by an object of another execution. */
    static Preparation nameTaken(String object, Instant at) {
        return new Preparation.Refused(RunFacts.of(RunEnd.REFUSED, at)
                .withReason(
                        "",
                        object + " belongs to another execution according to its label " + RunLabels.EXECUTION_UID
                                + ": remove it by hand")
                .asNeverStarted());
    }

    static boolean isAlreadyExists(KubernetesClientException refused) {
        return refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                && reason(refused).equals("AlreadyExists");
    }

    private static String reason(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus()).map(Status::getReason).orElse("");
    }

    /** Returns the text of the server; the message of the exception begins with the whole request. */
    private static String message(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus())
                .map(Status::getMessage)
                .filter(text -> !text.isEmpty())
                .orElseGet(() -> String.valueOf(refused.getMessage()));
    }
}
