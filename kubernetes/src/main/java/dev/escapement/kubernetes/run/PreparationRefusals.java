package dev.escapement.kubernetes.run;

import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Optional;

/** Why there can be no run. */
final class PreparationRefusals {

    private PreparationRefusals() {}

    /** The API server says so. */
    static Preparation of(KubernetesClientException refused, Instant at) {
        return new Preparation.Refused(RunFacts.of(RunEnd.REFUSED, at)
                .withReason(reason(refused), message(refused))
                .withHttpStatus(refused.getCode()));
    }

    /** It need not even be asked. */
    static Preparation of(RunRejection objection, Instant at) {
        return new Preparation.Refused(
                RunFacts.of(objection.end(), at).withReason(objection.reason(), objection.message()));
    }

    /** The name of the run is in use. */
    static Preparation nameTaken(String title, Instant at) {
        return new Preparation.Refused(RunFacts.of(RunEnd.REFUSED, at)
                .withReason(
                        "",
                        title + " belongs to somebody else: its label " + RunLabels.EXECUTION_UID
                                + " names another execution, so it has to be removed by hand")
                .asNeverStarted());
    }

    static boolean isAlreadyExists(KubernetesClientException refused) {
        return refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                && reason(refused).equals("AlreadyExists");
    }

    private static String reason(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus()).map(Status::getReason).orElse("");
    }

    /** The client puts the whole request before what the server said. */
    private static String message(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus())
                .map(Status::getMessage)
                .filter(said -> !said.isEmpty())
                .orElseGet(() -> String.valueOf(refused.getMessage()));
    }
}
