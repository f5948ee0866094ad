package dev.escapement.kubernetes.run;

import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Optional;

/** Creates the refusals of runs. Reasons are those that the failure classifier knows; empty if the end says enough. */
final class PreparationRefusals {

    private PreparationRefusals() {}

    /** The API server refused to create the run. */
    static Preparation of(KubernetesClientException refused, Instant at) {
        return new Preparation.Refused(RunFacts.of(RunEnd.REFUSED, at)
                .withReason(reason(refused), message(refused))
                .withHttpStatus(refused.getCode()));
    }

    static Preparation of(RunEnd end, String reason, String message, Instant at) {
        return new Preparation.Refused(RunFacts.of(end, at).withReason(reason, message));
    }

    /** The name of the run is in use by an object of another execution. */
    static Preparation nameTaken(String object, Instant at) {
        String message = "%s belongs to another execution according to its label %s: remove it by hand"
                .formatted(object, RunLabels.EXECUTION_UID);
        return new Preparation.Refused(
                RunFacts.of(RunEnd.REFUSED, at).withReason("", message).asNeverStarted());
    }

    /** The run exists, but it was started or changed before its execution was admitted. */
    static Preparation notPrepared(String object, Instant at) {
        String message = ("%s exists already and is not the suspended run that was requested: another client created,"
                        + " changed or started it; remove it by hand")
                .formatted(object);
        return new Preparation.Refused(
                RunFacts.of(RunEnd.REFUSED, at).withReason("", message).asNeverStarted());
    }

    static boolean isAlreadyExists(KubernetesClientException refused) {
        return refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                && reason(refused).equals("AlreadyExists");
    }

    private static String reason(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus()).map(Status::getReason).orElse("");
    }

    /** Returns the text of the server; the message of the exception begins with the whole request. */
    static String message(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus())
                .map(Status::getMessage)
                .filter(text -> !text.isEmpty())
                .orElseGet(() -> String.valueOf(refused.getMessage()));
    }
}
