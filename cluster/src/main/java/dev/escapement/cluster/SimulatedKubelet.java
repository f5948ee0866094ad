package dev.escapement.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler and a kubelet in one that run nothing: they take every pod of the cluster through the states that it
 * would have had, and write its status as a kubelet does. The image of each container says what happens to it:
 *
 * <table>
 * <caption>Images</caption>
 * <tr><td>{@code simulated.local/succeed}</td><td>ends at once with exit code 0</td></tr>
 * <tr><td>{@code simulated.local/succeed:200ms}</td><td>after that long (ms, s, m)</td></tr>
 * <tr><td>{@code simulated.local/exit:3}</td><td>ends at once with exit code 3</td></tr>
 * <tr><td>{@code simulated.local/oom}</td><td>is killed for its memory, exit code 137</td></tr>
 * <tr><td>{@code simulated.local/hang}</td><td>runs until the pod is deleted</td></tr>
 * <tr><td>{@code simulated.local/wait}</td><td>runs until the pod has the annotation {@value #END} with {@code succeed},
 *     {@code exit:N} or {@code oom}</td></tr>
 * <tr><td>{@code simulated.local/pull-failure}</td><td>cannot be pulled, nor can any image from elsewhere</td></tr>
 * <tr><td>{@code simulated.local/never-scheduled}</td><td>the whole pod finds no node</td></tr>
 * </table>
 *
 * <p>There is no registry of that name. Tekton asks a registry what to start in an image, unless the step says so
 * itself: every step needs a {@code command} or a {@code script}, whichever.
 *
 * <p>Steps of a Tekton task take turns, and those after one that failed are skipped, as Tekton's entrypoint does it.
 * Init containers come first. A pod that is deleted ends at once and goes. Containers are never restarted.
 */
public final class SimulatedKubelet implements AutoCloseable {

    /** The annotation that ends the containers that wait for it. */
    public static final String END = "simulated.kubelet/end";

    /** The only node. */
    public static final String NODE = "simulated-node";

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedKubelet.class);
    private static final int LANES = 16;
    private static final Duration RETRY = Duration.ofMillis(250);

    private final KubernetesClient client;
    private final PodWriter writer;
    private final InstantSource clock = InstantSource.system();
    private final Map<String, Life> lives = new ConcurrentHashMap<>();
    private final List<ExecutorService> lanes;
    private final SharedIndexInformer<Pod> informer;

    /** One pod: what was seen of it last, and what was written about it last. Only its lane touches it. */
    private static final class Life {
        private final SimulatedPod simulated;
        private Pod latest;
        private Map<String, Object> written = Map.of();
        private boolean bound;
        private boolean backingOff;
        private boolean removed;

        Life(Pod pod) {
            this.latest = pod;
            this.simulated = new SimulatedPod(pod);
        }
    }

    private SimulatedKubelet(KubernetesClient client) {
        this.client = client;
        this.writer = new PodWriter(client);
        this.lanes = IntStream.range(0, LANES)
                .mapToObj(lane -> Executors.newSingleThreadExecutor(task -> daemon(task, "kubelet-" + lane)))
                .toList();
        this.informer = client.pods().inAnyNamespace().runnableInformer(0);
    }

    /** Makes the node known and begins with the pods that are there. */
    static SimulatedKubelet start(Access access) {
        Config config = access.config();
        // The client would wait longer and longer for a server that is away; here a pod is looked at again soon.
        config.setRequestRetryBackoffLimit(0);
        SimulatedKubelet kubelet = new SimulatedKubelet(
                new KubernetesClientBuilder().withConfig(config).build());
        SimulatedNode.register(kubelet.client, NODE);
        kubelet.informer.addEventHandler(kubelet.new Events());
        kubelet.informer.run();
        return kubelet;
    }

    @Override
    public void close() {
        informer.stop();
        lanes.forEach(ExecutorService::shutdownNow);
        client.close();
    }

    private final class Events implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            look(pod);
        }

        @Override
        public void onUpdate(Pod old, Pod pod) {
            look(pod);
        }

        @Override
        public void onDelete(Pod pod, boolean unknown) {
            lives.remove(pod.getMetadata().getUid());
        }
    }

    private void look(Pod pod) {
        String uid = pod.getMetadata().getUid();
        try {
            lane(uid).execute(() -> {
                Life life = lives.computeIfAbsent(uid, first -> new Life(pod));
                life.latest = pod;
                tryToAdvance(uid, life);
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("closed; {} stays as it is", pod.getMetadata().getName());
        }
    }

    private Executor lane(String uid) {
        return lanes.get(Math.floorMod(uid.hashCode(), LANES));
    }

    private void later(String uid, Life life, Duration wait) {
        CompletableFuture.delayedExecutor(wait.toMillis() + 1, TimeUnit.MILLISECONDS, lane(uid))
                .execute(() -> tryToAdvance(uid, life));
    }

    private void tryToAdvance(String uid, Life life) {
        if (life.removed) {
            return;
        }
        try {
            advance(uid, life);
        } catch (KubernetesClientException refused) {
            if (PodWriter.isGone(refused)) {
                lives.remove(uid);
            } else {
                LOG.debug("pod {}: {}", life.latest.getMetadata().getName(), refused.getMessage());
                later(uid, life, RETRY);
            }
        }
    }

    private void advance(String uid, Life life) {
        Pod pod = life.latest;
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            end(life);
        } else if (isFinal(pod)) {
            LOG.trace("pod {} has ended", pod.getMetadata().getName());
        } else if (life.simulated.fitsOnANode()) {
            run(uid, life, pod);
        } else {
            write(life, SimulatedStatus.unschedulable(clock.instant()));
        }
    }

    private void run(String uid, Life life, Pod pod) {
        if (pod.getSpec().getNodeName() == null && !life.bound) {
            writer.bind(pod, NODE);
            life.bound = true;
        }
        Optional<Duration> wait = life.simulated.advance(pod, clock.instant());
        write(life, SimulatedStatus.of(life.simulated, life.backingOff, clock.instant()));
        backOff(life);
        wait.ifPresent(duration -> later(uid, life, duration));
    }

    /** A pull that failed is said once to have failed, and from then on to be tried again. */
    private void backOff(Life life) {
        boolean stuck = life.simulated.containers().stream().anyMatch(each -> !each.canBePulled());
        if (stuck && !life.backingOff) {
            life.backingOff = true;
            write(life, SimulatedStatus.of(life.simulated, true, clock.instant()));
        }
    }

    /** A pod without a node is nobody's: it goes as it is. */
    private void end(Life life) {
        if (!isFinal(life.latest) && life.latest.getSpec().getNodeName() != null) {
            life.simulated.terminate(clock.instant());
            write(life, SimulatedStatus.of(life.simulated, life.backingOff, clock.instant()));
        }
        writer.remove(life.latest);
        life.removed = true;
    }

    private void write(Life life, Map<String, Object> status) {
        if (!SimulatedStatus.same(life.written, status)) {
            writer.write(life.latest, status);
            life.written = status;
        }
    }

    private static boolean isFinal(Pod pod) {
        String phase =
                pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
