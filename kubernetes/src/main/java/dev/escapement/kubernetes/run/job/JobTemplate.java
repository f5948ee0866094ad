package dev.escapement.kubernetes.run.job;

import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.kubernetes.run.ImageRef;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
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
 * Writes Jobs: one pod, once, with what the restricted pod security standard asks for. It may only do what the service
 * account may that the execution names; without one it does not get to talk to the API server at all.
 */
final class JobTemplate {

    /** The name of the container. */
    static final String CONTAINER_NAME = "workflow";

    /** As long as Tekton gives a run that does not say. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);

    private JobTemplate() {}

    static Job suspendedJob(ExecutionSpec asked, ObjectMeta metadata) {
        return new JobBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withSuspend(true)
                .withParallelism(1)
                .withCompletions(1)
                .withBackoffLimit(0)
                // A pod that is being deleted still runs: no second one beside it.
                .withPodReplacementPolicy("Failed")
                .withActiveDeadlineSeconds(
                        roundUpToSeconds(asked.config().timeout().orElse(DEFAULT_TIMEOUT)))
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(metadata.getLabels())
                .withAnnotations(metadata.getAnnotations())
                .endMetadata()
                .withSpec(podSpec(asked))
                .endTemplate()
                .endSpec()
                .build();
    }

    private static PodSpec podSpec(ExecutionSpec asked) {
        String account = asked.config().serviceAccountName();
        PodSpecBuilder pod = new PodSpecBuilder()
                .withRestartPolicy("Never")
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
                .withImage(ImageRef.of(asked.workflow()).orElseThrow())
                .withEnv(environmentVariables(asked))
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .endContainer();
        return account.isEmpty()
                ? pod.build()
                : pod.withServiceAccountName(account).build();
    }

    private static List<EnvVar> environmentVariables(ExecutionSpec asked) {
        Map<String, String> values = new TreeMap<>(asked.parameters());
        values.put("TARGET_RESOURCE", asked.targetResource());
        return values.entrySet().stream()
                .map(value -> new EnvVarBuilder()
                        .withName(value.getKey())
                        .withValue(escapeDollars(value.getValue()))
                        .build())
                .toList();
    }

    /**
     * Kubernetes puts other variables in the place of {@code $(NAME)}, and makes {@code $$} one {@code $}: so every
     * {@code $} is doubled, and the container finds the value as it was given.
     */
    static String escapeDollars(String value) {
        return value.replace("$", "$$");
    }

    private static long roundUpToSeconds(Duration timeout) {
        return timeout.plusNanos(999_999_999).toSeconds();
    }
}
