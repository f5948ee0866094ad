package dev.escapement.kubernetes.run;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The pods of runs. They are asked for only when a run has failed. */
public interface PodLookup {

    /** How far a watch may be behind. */
    Duration MAX_WATCH_LAG = Duration.ofSeconds(10);

    /** A pod as it is, or as it was when it went. */
    record PodSnapshot(Pod pod, boolean deleted) {}

    /** The pod of that name. */
    Optional<PodSnapshot> findByName(String name);

    /** All pods with that label. */
    List<PodSnapshot> findByLabel(String label, String value);

    /**
     * A pod that was made and deleted in a moment is missing until the watch tells of it. What it has not told a while
     * after the run has ended it never will: nobody watched at the time.
     *
     * @throws IllegalStateException to look again, if the run ended just now
     */
    static void requireWatchCaughtUp(Optional<Instant> ended, Instant now) {
        if (ended.filter(at -> now.isBefore(at.plus(MAX_WATCH_LAG))).isPresent()) {
            throw new IllegalStateException("a pod is gone and the watch has not told of it yet: look again");
        }
    }

    /** Those that a namespace has now. What a pod that was deleted knew is lost. */
    static PodLookup fromApiServer(KubernetesClient client, String namespace) {
        return new PodLookup() {
            @Override
            public Optional<PodSnapshot> findByName(String name) {
                return Optional.ofNullable(client.pods()
                                .inNamespace(namespace)
                                .withName(name)
                                .get())
                        .map(pod -> new PodSnapshot(pod, false));
            }

            @Override
            public List<PodSnapshot> findByLabel(String label, String value) {
                Stream<Pod> pods =
                        client.pods().inNamespace(namespace).withLabel(label, value).list().getItems().stream();
                return pods.map(pod -> new PodSnapshot(pod, false)).toList();
            }
        };
    }
}
