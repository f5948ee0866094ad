package dev.escapement.kubernetes.run.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobTemplateTest {

    private static Job newJob(Map<String, String> parameters, ExecutionConfig config) {
        ExecutionSpec spec = new ExecutionSpec(
                new WorkflowRef("repair", "", "r.example/w:v1", "sha256:00"),
                "node/worker-1",
                new TreeMap<>(parameters),
                Optional.empty(),
                Optional.empty(),
                "",
                config);
        return JobTemplate.suspendedJob(spec, new ObjectMeta());
    }

    @Test
    void passesParametersAndTargetAsEnvironment() {
        Job job = newJob(Map.of("DEPTH", "2"), ExecutionConfig.DEFAULT);
        assertThat(job.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv())
                .extracting(EnvVar::getName, EnvVar::getValue)
                .containsExactly(tuple("DEPTH", "2"), tuple("TARGET_RESOURCE", "node/worker-1"));
    }

    @Test
    void escapesVariableReferences() {
        assertThat(JobTemplate.escapeDollars("a $(DEPTH) $$(DEPTH) $ \"'\n"))
                .isEqualTo("a $$(DEPTH) $$$$(DEPTH) $$ \"'\n");
    }

    @Test
    void runsOnceWithoutServiceAccountToken() {
        Job job = newJob(Map.of(), new ExecutionConfig(Optional.of(Duration.ofMillis(1500)), "", "job"));
        assertThat(job.getSpec().getSuspend()).isTrue();
        assertThat(job.getSpec().getBackoffLimit()).isZero();
        assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(2);
        assertThat(job.getSpec().getTemplate().getSpec().getAutomountServiceAccountToken())
                .isFalse();
        assertThat(job.getSpec().getTemplate().getSpec().getContainers().get(0).getImage())
                .isEqualTo("r.example/w:v1@sha256:00");
    }

    @Test
    void usesNamedServiceAccount() {
        Job job = newJob(Map.of(), new ExecutionConfig(Optional.empty(), "fixer", "job"));
        assertThat(job.getSpec().getTemplate().getSpec().getServiceAccountName())
                .isEqualTo("fixer");
        assertThat(job.getSpec().getTemplate().getSpec().getAutomountServiceAccountToken())
                .isTrue();
        assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(3600);
    }
}
