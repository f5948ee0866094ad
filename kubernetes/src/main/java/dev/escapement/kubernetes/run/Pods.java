package dev.escapement.kubernetes.run;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The pods of runs. They are asked for only when a run has failed. */
public interface Pods {

    /** A pod as it is, or as it was when it went. */
    record Seen(Pod pod, boolean gone) {}

    /** The pod of that name. */
    Optional<Seen> named(String name);

    /** All pods with that label. */
    List<Seen> labelled(String label, String value);

    /** Those that a namespace has now. What a pod that was deleted knew is lost. */
    static Pods in(KubernetesClient client, String namespace) {
        return new Pods() {
            @Override
            public Optional<Seen> named(String name) {
                return Optional.ofNullable(client.pods()
                                .inNamespace(namespace)
                                .withName(name)
                                .get())
                        .map(pod -> new Seen(pod, false));
            }

            @Override
            public List<Seen> labelled(String label, String value) {
                Stream<Pod> pods =
                        client.pods().inNamespace(namespace).withLabel(label, value).list().getItems().stream();
                return pods.map(pod -> new Seen(pod, false)).toList();
            }
        };
    }
}
