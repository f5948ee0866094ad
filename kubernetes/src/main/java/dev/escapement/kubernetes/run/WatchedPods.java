package dev.escapement.kubernetes.run;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
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
    private final SharedIndexInformer<Pod> informer;
    private final Map<String, Pod> gone = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Pod> eldest) {
            return size() > KEPT;
        }
    };

    /**
     * Takes part in what the informer tells; it need not run yet.
     *
     * @param now the pods that there are
     */
    public WatchedPods(Pods now, SharedIndexInformer<Pod> informer) {
        this.now = now;
        this.informer = informer;
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
        boolean late = informer.getStore().list().stream()
                .filter(wanted)
                .anyMatch(pod -> !known.contains(pod.getMetadata().getUid()));
        if (late) {
            throw new IllegalStateException("a pod was deleted and the watch has not told yet how it was: look again");
        }
        synchronized (gone) {
            return gone.values().stream()
                    .filter(wanted)
                    .filter(pod -> !known.contains(pod.getMetadata().getUid()))
                    .map(pod -> new Seen(pod, true))
                    .toList();
        }
    }

    @Override
    public void onAdd(Pod pod) {}

    @Override
    public void onUpdate(Pod old, Pod pod) {}

    @Override
    public void onDelete(Pod pod, boolean finalStateUnknown) {
        if (!finalStateUnknown) {
            synchronized (gone) {
                gone.put(pod.getMetadata().getUid(), essence(pod));
            }
        }
    }

    /** What is read of it later; the specification of a Tekton pod is long. */
    private static Pod essence(Pod pod) {
        return new PodBuilder()
                .withMetadata(pod.getMetadata())
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
}
