package dev.escapement.kubernetes.run;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds the pods of failed runs. */
public interface PodLookup {

    /** How long a watch may lag behind the API server. */
    Duration MAX_WATCH_LAG = Duration.ofSeconds(10);

    /** The current state of a pod, or its last state if it was deleted. */
    record PodSnapshot(Pod pod, boolean deleted) {}

    Optional<PodSnapshot> findByName(String name);

    List<PodSnapshot> findByLabel(String label, String value);

    /**
     * Checks that the watch has had enough time to report a pod that was created and deleted quickly. A pod that it has
     * not reported {@link #MAX_WATCH_LAG} after the end of the run existed while there was no watch, and is lost.
     *
     * @throws IllegalStateException if the run finished less than {@link #MAX_WATCH_LAG} ago
     */
    static void requireWatchCaughtUp(Optional<Instant> endTime, Instant now) {
        if (endTime.filter(at -> now.isBefore(at.plus(MAX_WATCH_LAG))).isPresent()) {
            throw new IllegalStateException("a pod was deleted and the watch has not reported it yet, will retry");
        }
    }
}
