package dev.escapement.kubernetes.run;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Pods with a memory. Executors delete the pod of a run that they end, and with it the only certain word on whether a
 * container was ever started; the watch brings the last state of a pod along with the news that it is gone.
 */
public final class TombstonePodLookup implements PodLookup, ResourceEventHandler<Pod> {

    private static final int MAX_TOMBSTONES = 1_000;

    private final PodLookup liveLookup;

    /** As the news have come here: the informer's own store is ahead of them. */
    private final Map<String, Pod> knownPods = new HashMap<>();

    private final Map<String, Pod> tombstones = new BoundedMap<>();
    private final Map<String, List<ContainerStatus>> waitingStatuses = new BoundedMap<>();

    private static final class BoundedMap<V> extends LinkedHashMap<String, V> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > MAX_TOMBSTONES;
        }
    }

    /**
     * Takes part in what the informer tells; it need not run yet.
     *
     * @param now the pods that there are
     */
    public TombstonePodLookup(PodLookup now, SharedIndexInformer<Pod> informer) {
        this.liveLookup = now;
        informer.addEventHandler(this);
    }

    @Override
    public Optional<PodSnapshot> findByName(String name) {
        return liveLookup
                .findByName(name)
                .or(() -> findTombstones(hasName(name), Set.of()).stream().findFirst());
    }

    private static Predicate<Pod> hasName(String name) {
        return pod -> pod.getMetadata().getName().equals(name);
    }

    @Override
    public List<PodSnapshot> findByLabel(String label, String value) {
        List<PodSnapshot> all = new ArrayList<>(liveLookup.findByLabel(label, value));
        Set<String> known =
                all.stream().map(seen -> seen.pod().getMetadata().getUid()).collect(Collectors.toSet());
        all.addAll(
                findTombstones(pod -> value.equals(pod.getMetadata().getLabels().get(label)), known));
        return all;
    }

    private List<PodSnapshot> findTombstones(Predicate<Pod> wanted, Set<String> known) {
        synchronized (tombstones) {
            if (knownPods.values().stream().filter(wanted).anyMatch(pod -> !known.contains(uid(pod)))) {
                throw new IllegalStateException(
                        "a pod was deleted and the watch has not told yet how it was: look again");
            }
            return tombstones.values().stream()
                    .filter(wanted)
                    .filter(pod -> !known.contains(uid(pod)))
                    .map(pod -> new PodSnapshot(pod, true))
                    .toList();
        }
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    @Override
    public void onAdd(Pod pod) {
        synchronized (tombstones) {
            knownPods.put(uid(pod), trim(pod));
        }
    }

    /** Also: what a container was waiting for, before the kubelet wrote an end for it. */
    @Override
    public void onUpdate(Pod old, Pod pod) {
        synchronized (tombstones) {
            Optional<Pod> before = Optional.ofNullable(knownPods.remove(uid(old)));
            knownPods.put(uid(pod), trim(pod));
            if (pod.getStatus().getContainerStatuses().stream().anyMatch(PodState::wasNeverCreated)) {
                before.ifPresent(known ->
                        waitingStatuses.putIfAbsent(uid(pod), known.getStatus().getContainerStatuses()));
            }
        }
    }

    @Override
    public void onDelete(Pod pod, boolean finalStateUnknown) {
        synchronized (tombstones) {
            knownPods.remove(uid(pod));
            if (!finalStateUnknown) {
                tombstones.put(uid(pod), tombstoneOf(pod));
            }
        }
    }

    /** What is read of a pod later; the specification of a Tekton pod is long, and so are its annotations. */
    public static Pod trim(Pod pod) {
        return new PodBuilder()
                .withMetadata(new ObjectMetaBuilder(pod.getMetadata())
                        .withAnnotations(null)
                        .build())
                .withNewSpec()
                .withNodeName(pod.getSpec().getNodeName())
                .withContainers(pod.getSpec().getContainers().stream()
                        .map(container -> new ContainerBuilder()
                                .withName(container.getName())
                                .build())
                        .toList())
                .endSpec()
                .withStatus(pod.getStatus())
                .build();
    }

    private Pod tombstoneOf(Pod pod) {
        return new PodBuilder(trim(pod))
                .withStatus(new PodStatusBuilder(pod.getStatus())
                        .withContainerStatuses(lastContainerStatuses(pod))
                        .build())
                .build();
    }

    private List<ContainerStatus> lastContainerStatuses(Pod pod) {
        List<ContainerStatus> before = Optional.ofNullable(
                        waitingStatuses.remove(pod.getMetadata().getUid()))
                .orElse(List.of());
        return pod.getStatus().getContainerStatuses().stream()
                .map(container -> before.stream()
                        .filter(other -> other.getName().equals(container.getName()))
                        .filter(other -> PodState.wasNeverCreated(container))
                        .filter(other ->
                                other.getState() != null && other.getState().getWaiting() != null)
                        .findFirst()
                        .orElse(container))
                .toList();
    }
}
