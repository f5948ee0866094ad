package dev.escapement.kubernetes.run.tekton;

import dev.escapement.kubernetes.run.PodLookup;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Objects as Tekton writes them. */
final class TektonFixtures {

    private TektonFixtures() {}

    static PipelineRun pipelineRun(String reason, String more) {
        return Serialization.unmarshal("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: run, uid: uid-run}
                status:
                  startTime: "2026-11-16T11:59:00Z"
                  conditions:
                  - {type: Succeeded, status: "False", reason: %s, message: text}
                  pipelineSpec: {tasks: [{name: cordon}, {name: drain}], finally: [{name: tell}]}
                %s""".formatted(reason, more.indent(2)), PipelineRun.class);
    }

    static TaskRun taskRun(String name, String status, String reason, String more) {
        return Serialization.unmarshal("""
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata:
                  name: run-%s
                  uid: uid-%s
                  creationTimestamp: "2026-11-16T11:59:01Z"
                  labels: {tekton.dev/pipelineTask: %s}
                status:
                  conditions: [{type: Succeeded, status: "%s", reason: %s, message: ""}]
                %s""".formatted(name, name, name, status, reason, more.indent(2)), TaskRun.class);
    }

    static Pod pod(String name, String owner, String more) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  uid: uid-%s
                  labels: {tekton.dev/taskRunUID: %s}
                  ownerReferences: [{apiVersion: tekton.dev/v1, kind: TaskRun, name: x, uid: %s}]
                %s""".formatted(name, name, owner, owner, more), Pod.class);
    }

    static PodLookup podLookup(Pod... pods) {
        return new PodLookup() {
            @Override
            public Optional<PodSnapshot> findByName(String name) {
                return Arrays.stream(pods)
                        .filter(pod -> pod.getMetadata().getName().equals(name))
                        .map(pod -> new PodSnapshot(pod, false))
                        .findFirst();
            }

            @Override
            public List<PodSnapshot> findByLabel(String label, String value) {
                return Arrays.stream(pods)
                        .filter(pod ->
                                Objects.equals(pod.getMetadata().getLabels().get(label), value))
                        .map(pod -> new PodSnapshot(pod, false))
                        .toList();
            }
        };
    }
}
