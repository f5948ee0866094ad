package dev.escapement.kubernetes.run.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunFacts;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodCreationFailuresTest {

    private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    private final List<String> notified = new ArrayList<>();
    private final PodCreationFailures failures = new PodCreationFailures(job -> notified.add(job.getUid()));

    private static Event event(String component, String message) {
        return new EventBuilder()
                .withNewMetadata()
                .withName("e1")
                .endMetadata()
                .withInvolvedObject(new ObjectReference(null, null, "Job", "j", "runs", null, "uid-1"))
                .withMessage(message)
                .withNewSource(component, null)
                .build();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Error creating: pods \"j-\" is forbidden: error looking up service account runs/a: not found | Forbidden",
                "Error creating: pods \"j-x\" is forbidden: exceeded quota: q, requested: pods=1 | ResourceExhausted",
                "Error creating: admission webhook \"w.example\" denied the request: no | Forbidden",
            })
    void refusalIsFailureBeforeExecution(String message, String reason) {
        failures.onAdd(event("job-controller", message));

        Optional<RunFacts> refusal = failures.findRefusal("uid-1", NOW);
        Failure failure = FailureClassifier.classify("repair", "node/a", refusal.orElseThrow());
        assertThat(failure.reason().name()).isEqualTo(reason);
        assertThat(failure.wasExecutionFailure()).isFalse();
        assertThat(failure.message()).isEqualTo(message);
        assertThat(notified).containsExactly("uid-1");
    }

    @Test
    void errorOfApiServerIsNoRefusal() {
        failures.onAdd(event("job-controller", "Error creating: Internal error occurred: failed calling webhook"));
        assertThat(failures.hasFailed("uid-1")).isTrue();
        assertThat(failures.findRefusal("uid-1", NOW)).isEmpty();
    }

    @Test
    void ignoresEventsOfOthers() {
        failures.onAdd(event("somebody", "Error creating: pods is forbidden"));
        assertThat(failures.hasFailed("uid-1")).isFalse();
        assertThat(notified).isEmpty();
    }
}
