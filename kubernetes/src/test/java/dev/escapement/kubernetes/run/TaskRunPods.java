package dev.escapement.kubernetes.run;

import dev.escapement.kubernetes.run.tekton.TaskRun;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

public final class TaskRunPods {

    private TaskRunPods() {}

    /** Returns whether the status of a TaskRun of that execution names its pod. */
    public static boolean isRecorded(KubernetesClient admin, String namespace, String executionUid) {
        return admin
                .resources(TaskRun.class)
                .inNamespace(namespace)
                .withLabel(RunLabels.EXECUTION_UID, executionUid)
                .list()
                .getItems()
                .stream()
                .flatMap(task -> Optional.ofNullable(task.getStatus()).stream())
                .anyMatch(status -> status.containsKey("podName"));
    }
}
