package dev.escapement.kubernetes.run.tekton;

import io.fabric8.kubernetes.client.CustomResource;
import java.time.Instant;
import java.util.Optional;

/**
 * The condition {@code Succeeded} of a PipelineRun or TaskRun.
 *
 * @param status {@code True}, {@code False}, {@code Unknown} while it runs, empty before it has started
 */
record SucceededCondition(String status, String reason, String message, Optional<Instant> since) {

    static SucceededCondition of(CustomResource<?, ?> object) {
        return of(new LenientNode(object.getStatus()));
    }

    static SucceededCondition of(LenientNode status) {
        return status.items("conditions").stream()
                .filter(condition -> condition.text("type").equals("Succeeded"))
                .map(condition -> new SucceededCondition(
                        condition.text("status"),
                        condition.text("reason"),
                        condition.text("message"),
                        condition.instant("lastTransitionTime")))
                .findFirst()
                .orElse(new SucceededCondition("", "", "", Optional.empty()));
    }

    boolean succeeded() {
        return status.equals("True");
    }

    boolean failed() {
        return status.equals("False");
    }

    boolean isFinished() {
        return succeeded() || failed();
    }
}
