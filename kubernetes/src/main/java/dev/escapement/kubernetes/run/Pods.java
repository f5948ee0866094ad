package dev.escapement.kubernetes.run;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;

/** The pods of runs. They are asked for only when a run has failed, and then there is no cache that could be old. */
public interface Pods {

    /** The pod of that name, as it is now. */
    Optional<Pod> named(String name);

    /** All pods with that label, as they are now. */
    List<Pod> labelled(String label, String value);

    /** Those of a namespace. */
    static Pods in(KubernetesClient client, String namespace) {
        return new Pods() {
            @Override
            public Optional<Pod> named(String name) {
                return Optional.ofNullable(
                        client.pods().inNamespace(namespace).withName(name).get());
            }

            @Override
            public List<Pod> labelled(String label, String value) {
                return client.pods()
                        .inNamespace(namespace)
                        .withLabel(label, value)
                        .list()
                        .getItems();
            }
        };
    }
}
