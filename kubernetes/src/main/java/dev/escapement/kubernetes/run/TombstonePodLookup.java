package dev.escapement.kubernetes.run;

import dev.escapement.common.BoundedMap;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Remembers the last state of deleted pods. An executor that stops a run deletes its pod, and only the pod says for
 * certain whether a container was started; the watch delivers the last state of a pod with its deletion.
 */
public final class TombstonePodLookup implements PodLookup, ResourceEventHandler<Pod> {

    private static final int MAX_TOMBSTONES = 1_000;

    private final KubernetesClient client;
    private final String namespace;

    /** As the events have arrived here; the informer's own store is ahead of them. */
    private final Map<String, Pod> knownPods = new HashMap<>();

    private final Map<String, Pod> tombstones = new BoundedMap<>(MAX_TOMBSTONES);
    private final Map<String, List<ContainerStatus>> waitingStatuses = new BoundedMap<>(MAX_TOMBSTONES);

    /** Listens to the informer, which need not have started yet; pods that exist are read from the API server. */
    public TombstonePodLookup(KubernetesClient client, String namespace, SharedIndexInformer<Pod> informer) {
        this.client = client;
        this.namespace = namespace;
        informer.addEventHandler(this);
    }

    @Override
    public Optional<PodSnapshot> findByName(String name) {
        Pod live = client.pods().inNamespace(namespace).withName(name).get();
        return live != null
                ? Optional.of(new PodSnapshot(live, false))
                : findTombstones(pod -> pod.getMetadata().getName().equals(name), Set.of()).stream()
                        .findFirst();
    }

    @Override
    public List<PodSnapshot> findByLabel(String label, String value) {
        List<Pod> live = client.pods()
                .inNamespace(namespace)
                .withLabel(label, value)
                .list()
                .getItems();
        Set<String> known = live.stream().map(TombstonePodLookup::uid).collect(Collectors.toSet());
        Predicate<Pod> hasLabel =
                pod -> pod.getMetadata().getLabels().getOrDefault(label, "").equals(value);
        return Stream.concat(
                        live.stream().map(pod -> new PodSnapshot(pod, false)), findTombstones(hasLabel, known).stream())
                .toList();
    }

    private List<PodSnapshot> findTombstones(Predicate<Pod> filter, Set<String> known) {
        synchronized (tombstones) {
            if (knownPods.values().stream().filter(filter).anyMatch(pod -> !known.contains(uid(pod)))) {
                throw new IllegalStateException(
                        "a pod was deleted and the watch has not reported its last state yet, will retry");
            }
            return tombstones.values().stream()
                    .filter(filter)
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

    /** Also keeps what a container was waiting for before the kubelet wrote an end for it. */
    @Override
    public void onUpdate(Pod old, Pod pod) {
        synchronized (tombstones) {
            Optional<Pod> previous = Optional.ofNullable(knownPods.remove(uid(old)));
            knownPods.put(uid(pod), trim(pod));
            if (pod.getStatus().getContainerStatuses().stream().anyMatch(PodState::wasNeverCreated)) {
                previous.ifPresent(known ->
                        waitingStatuses.putIfAbsent(uid(pod), known.getStatus().getContainerStatuses()));
            }
        }
    }

    @Override
    public void onDelete(Pod pod, boolean finalStateUnknown) {
        synchronized (tombstones) {
            knownPods.remove(uid(pod));
            if (!finalStateUnknown) {
                var tombstone =
                        new PodBuilder(trim(pod)).editStatus().withContainerStatuses(lastContainerStatuses(pod));
                tombstones.put(uid(pod), tombstone.endStatus().build());
            }
        }
    }

    /** Keeps what is read of a pod later; the spec and the annotations of a Tekton pod are large. */
    public static Pod trim(Pod pod) {
        return new PodBuilder()
                .withNewMetadataLike(pod.getMetadata())
                .withAnnotations(null)
                .endMetadata()
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

    private List<ContainerStatus> lastContainerStatuses(Pod pod) {
        List<ContainerStatus> previous =
                Optional.ofNullable(waitingStatuses.remove(uid(pod))).orElse(List.of());
        return pod.getStatus().getContainerStatuses().stream()
                .map(container -> previous.stream()
                        .filter(other -> other.getName().equals(container.getName()))
                        .filter(other -> PodState.wasNeverCreated(container))
                        .filter(other ->
                                other.getState() != null && other.getState().getWaiting() != null)
                        .findFirst()
                        .orElse(container))
                .toList();
    }
}
