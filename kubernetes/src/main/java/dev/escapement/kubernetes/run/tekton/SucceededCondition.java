package dev.escapement.kubernetes.run.tekton;

import io.fabric8.kubernetes.client.CustomResource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The condition {@code Succeeded} of a PipelineRun or TaskRun.
 *
 * @param status {@code True}, {@code False}, {@code Unknown} while it runs, empty before it has started
 */
record SucceededCondition(String status, String reason, String message, Optional<Instant> since) {

    static SucceededCondition of(CustomResource<Map<String, Object>, Map<String, Object>> object) {
        return of(LenientNode.of(object.getStatus()));
    }

    static SucceededCondition of(LenientNode status) {
        return status.at("conditions").items().stream()
                .filter(condition -> condition.at("type").text().equals("Succeeded"))
                .map(condition -> new SucceededCondition(
                        condition.at("status").text(),
                        condition.at("reason").text(),
                        condition.at("message").text(),
                        condition.at("lastTransitionTime").instant()))
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
