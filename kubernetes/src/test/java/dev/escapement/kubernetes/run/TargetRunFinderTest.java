package dev.escapement.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.run.job.JobAdapter;
import dev.escapement.kubernetes.run.job.PodCreationFailures;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TargetRunFinderTest {

    private static final Instant WITHDRAWN_AT = Instant.parse("2026-11-15T12:00:00Z");
    private static final ExecutionRef EXECUTION = new ExecutionRef("ops", "e1", "uid-1");

    private final List<PodLookup.PodSnapshot> pods = new ArrayList<>();
    private final ResourceCache<Job> cache = new ResourceCache<>(job -> job, RunLabels::executionUid);
    private Instant now = WITHDRAWN_AT.plus(PodLookup.MAX_WATCH_LAG);

    private boolean isActive(Map<String, String> annotations) {
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(Config.empty()).build();
        InstantSource clock = () -> now;
        var adapter = new JobAdapter(new ListedPods(), new PodCreationFailures(job -> {}), clock);
        var runner = new KubernetesObjectRunner<>(
                "runs", adapter, new ResourceWriter<>(client, Job.class, cache), new ExecutorRefusals(clock), clock);
        Job job = startedJob(annotations);
        cache.put("runs/" + job.getMetadata().getName(), job);
        return runner.findActiveRun(EXECUTION).isPresent();
    }

    private static Job startedJob(Map<String, String> annotations) {
        ObjectMeta metadata = RunLabels.newRunMetadata(
                Execution.pending(EXECUTION, Instant.EPOCH, ExecutionSpec.of("repair", "node/a", Map.of())), "runs");
        metadata.setUid("uid-job");
        metadata.setResourceVersion("7");
        Map<String, String> all = new TreeMap<>(metadata.getAnnotations());
        all.put(RunLabels.STARTED_AT, WITHDRAWN_AT.toString());
        all.putAll(annotations);
        metadata.setAnnotations(all);
        return new JobBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withSuspend(false)
                .endSpec()
                .build();
    }

    private static Map<String, String> withdrawn() {
        RunFacts facts = RunFacts.of(RunEnd.REFUSED, WITHDRAWN_AT).asNeverStarted();
        return Map.of(RunLabels.WITHDRAWN, WithdrawnRun.of(facts, WITHDRAWN_AT).toJson());
    }

    @Test
    void withdrawnRunOfWhichNothingWasCreatedHasEnded() {
        assertThat(isActive(withdrawn())).isFalse();
    }

    @Test
    void withdrawnRunIsActiveWhileSomethingMayStillBeCreated() {
        now = WITHDRAWN_AT.plus(PodLookup.MAX_WATCH_LAG).minusNanos(1);
        assertThat(isActive(withdrawn())).isTrue();
    }

    @Test
    void withdrawnRunWithPodIsActive() {
        pods.add(new PodLookup.PodSnapshot(new Pod(), false));
        assertThat(isActive(withdrawn())).isTrue();
    }

    @Test
    void runWithUnreadableWithdrawalIsActive() {
        assertThat(isActive(Map.of(RunLabels.WITHDRAWN, "no JSON"))).isTrue();
    }

    @Test
    void startedRunIsActive() {
        assertThat(isActive(Map.of())).isTrue();
    }

    private final class ListedPods implements PodLookup {

        @Override
        public Optional<PodSnapshot> findByName(String name) {
            return Optional.empty();
        }

        @Override
        public List<PodSnapshot> findByLabel(String label, String value) {
            return pods;
        }
    }
}
