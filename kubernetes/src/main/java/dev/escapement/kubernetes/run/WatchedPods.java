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
public final class WatchedPods implements Pods, ResourceEventHandler<Pod> {

    private static final int KEPT = 1_000;

    private final Pods now;

    /** As the news have come here: the informer's own store is ahead of them. */
    private final Map<String, Pod> there = new HashMap<>();

    private final Map<String, Pod> gone = new Recent<>();
    private final Map<String, List<ContainerStatus>> waited = new Recent<>();

    private static final class Recent<V> extends LinkedHashMap<String, V> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > KEPT;
        }
    }

    /**
     * Takes part in what the informer tells; it need not run yet.
     *
     * @param now the pods that there are
     */
    public WatchedPods(Pods now, SharedIndexInformer<Pod> informer) {
        this.now = now;
        informer.addEventHandler(this);
    }

    @Override
    public Optional<Seen> named(String name) {
        return now.named(name).or(() -> gone(hasName(name), Set.of()).stream().findFirst());
    }

    private static Predicate<Pod> hasName(String name) {
        return pod -> pod.getMetadata().getName().equals(name);
    }

    @Override
    public List<Seen> labelled(String label, String value) {
        List<Seen> all = new ArrayList<>(now.labelled(label, value));
        Set<String> known =
                all.stream().map(seen -> seen.pod().getMetadata().getUid()).collect(Collectors.toSet());
        all.addAll(gone(pod -> value.equals(pod.getMetadata().getLabels().get(label)), known));
        return all;
    }

    private List<Seen> gone(Predicate<Pod> wanted, Set<String> known) {
        synchronized (gone) {
            if (there.values().stream().filter(wanted).anyMatch(pod -> !known.contains(uid(pod)))) {
                throw new IllegalStateException(
                        "a pod was deleted and the watch has not told yet how it was: look again");
            }
            return gone.values().stream()
                    .filter(wanted)
                    .filter(pod -> !known.contains(uid(pod)))
                    .map(pod -> new Seen(pod, true))
                    .toList();
        }
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    @Override
    public void onAdd(Pod pod) {
        synchronized (gone) {
            there.put(uid(pod), essence(pod));
        }
    }

    /** Also: what a container was waiting for, before the kubelet wrote an end for it. */
    @Override
    public void onUpdate(Pod old, Pod pod) {
        synchronized (gone) {
            Optional<Pod> before = Optional.ofNullable(there.remove(uid(old)));
            there.put(uid(pod), essence(pod));
            if (pod.getStatus().getContainerStatuses().stream().anyMatch(PodState::wasNeverCreated)) {
                before.ifPresent(
                        known -> waited.putIfAbsent(uid(pod), known.getStatus().getContainerStatuses()));
            }
        }
    }

    @Override
    public void onDelete(Pod pod, boolean finalStateUnknown) {
        synchronized (gone) {
            there.remove(uid(pod));
            if (!finalStateUnknown) {
                gone.put(uid(pod), last(pod));
            }
        }
    }

    /** What is read of a pod later; the specification of a Tekton pod is long, and so are its annotations. */
    public static Pod essence(Pod pod) {
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

    private Pod last(Pod pod) {
        return new PodBuilder(essence(pod))
                .withStatus(new PodStatusBuilder(pod.getStatus())
                        .withContainerStatuses(containers(pod))
                        .build())
                .build();
    }

    private List<ContainerStatus> containers(Pod pod) {
        List<ContainerStatus> before =
                Optional.ofNullable(waited.remove(pod.getMetadata().getUid())).orElse(List.of());
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
