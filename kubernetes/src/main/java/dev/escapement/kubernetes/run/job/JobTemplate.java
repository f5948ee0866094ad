package dev.escapement.kubernetes.run.job;

import dev.escapement.engine.execution.ExecutionSpec;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Builds Jobs: one pod, no retries, within the restricted pod security standard. The pod has the permissions of the
 * service account that the execution names; without one it gets no token for the API server.
 */
public final class JobTemplate {

    public static final String CONTAINER_NAME = "workflow";

    /** The default timeout of Tekton. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);

    private JobTemplate() {}

    static Job suspendedJob(ExecutionSpec spec, ObjectMeta metadata) {
        Duration timeout = spec.config().timeout().orElse(DEFAULT_TIMEOUT);
        return new JobBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withSuspend(true)
                .withParallelism(1)
                .withCompletions(1)
                .withBackoffLimit(0)
                // A pod that is being deleted still runs: its replacement must wait until it has ended.
                .withPodReplacementPolicy("Failed")
                // Rounded up to whole seconds.
                .withActiveDeadlineSeconds(timeout.plusNanos(999_999_999).toSeconds())
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(metadata.getLabels())
                .withAnnotations(metadata.getAnnotations())
                .endMetadata()
                .withSpec(podSpec(spec))
                .endTemplate()
                .endSpec()
                .build();
    }

    private static PodSpec podSpec(ExecutionSpec spec) {
        String account = spec.config().serviceAccountName();
        return new PodSpecBuilder()
                .withRestartPolicy("Never")
                .withServiceAccountName(account.isEmpty() ? null : account)
                .withAutomountServiceAccountToken(!account.isEmpty())
                .withEnableServiceLinks(false)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .addNewContainer()
                .withName(CONTAINER_NAME)
                .withImage(spec.workflow().pinnedImage().orElseThrow())
                .withEnv(environmentVariables(spec))
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .endContainer()
                .build();
    }

    private static List<EnvVar> environmentVariables(ExecutionSpec spec) {
        Map<String, String> values = new TreeMap<>(spec.parameters());
        values.put("TARGET_RESOURCE", spec.targetResource());
        return values.entrySet().stream()
                .map(value -> new EnvVar(value.getKey(), escapeDollars(value.getValue()), null))
                .toList();
    }

    /**
     * Doubles every {@code $}: Kubernetes replaces {@code $(NAME)} by other variables and {@code $$} by {@code $}, so
     * the container gets the value as it was given.
     */
    static String escapeDollars(String value) {
        return value.replace("$", "$$");
    }
}
