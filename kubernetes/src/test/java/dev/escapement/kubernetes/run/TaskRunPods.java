package dev.escapement.kubernetes.run;

import dev.escapement.kubernetes.run.tekton.TaskRun;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** What Tekton knows of the pods that it has made. */
public final class TaskRunPods {

    private TaskRunPods() {}

    /** Whether it has noted the pod of a task of that execution. */
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
