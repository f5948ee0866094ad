package dev.escapement.kubernetes.run.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobAdapterTest {

    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

    private final JobAdapter adapter =
            new JobAdapter(new NoPods(), new PodCreationFailures(job -> {}), InstantSource.fixed(NOW));

    private record NoPods() implements PodLookup {

        @Override
        public Optional<PodSnapshot> findByName(String name) {
            return Optional.empty();
        }

        @Override
        public List<PodSnapshot> findByLabel(String label, String value) {
            return List.of();
        }
    }

    private Observation.Failed observe(Map<String, String> annotations) {
        Job job = Serialization.unmarshal("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: run, uid: uid-run}
                spec: {activeDeadlineSeconds: 1}
                status:
                  startTime: "2026-11-16T11:59:00Z"
                  conditions:
                  - {type: Failed, status: "True", reason: DeadlineExceeded, lastTransitionTime: "2026-11-16T11:59:02Z"}
                """, Job.class);
        job.getMetadata().setAnnotations(annotations);
        return (Observation.Failed) adapter.observe(job);
    }

    @Test
    void stoppedJobIsCancelled() {
        var facts = observe(Map.of(RunLabels.CANCELLED_BY, "anna")).facts();
        assertThat(facts.end()).isEqualTo(RunEnd.CANCELLED);
        assertThat(facts.message()).isEqualTo("cancelled by anna");
    }

    /** The Job controller created its pod when the Job was withdrawn. */
    @Test
    void jobWithdrawnTooLateIsCancelled() {
        var facts = observe(Map.of(RunLabels.WITHDRAWN, """
                        {"at": "2026-11-16T11:59:01Z", "end": "CANCELLED", "reason": "", "message": "cancelled by anna"}""")).facts();
        assertThat(facts.end()).isEqualTo(RunEnd.CANCELLED);
        assertThat(facts.message()).isEqualTo("cancelled by anna");
    }

    @Test
    void otherJobIsPastItsDeadline() {
        assertThat(observe(Map.of()).facts().end()).isEqualTo(RunEnd.TIMED_OUT);
        assertThat(observe(Map.of(RunLabels.WITHDRAWN, """
                        {"at": "2026-11-16T11:59:01Z", "end": "FAILED", "reason": "", "message": "not picked up"}""")).facts().end()).isEqualTo(RunEnd.TIMED_OUT);
    }
}
