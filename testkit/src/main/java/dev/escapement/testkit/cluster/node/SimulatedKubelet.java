package dev.escapement.testkit.cluster.node;

import dev.escapement.testkit.cluster.Kubeconfig;
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
 * A scheduler and a kubelet that run no containers: they take every pod of the cluster through its states and write its
 * status as a kubelet does. The image name of each container selects what happens to it:
 *
 * <table>
 * <caption>Images</caption>
 * <tr><td>{@code simulated.local/succeed}</td><td>ends at once with exit code 0</td></tr>
 * <tr><td>{@code simulated.local/succeed:200ms}</td><td>after that long (ms, s, m)</td></tr>
 * <tr><td>{@code simulated.local/exit:3}</td><td>ends at once with exit code 3</td></tr>
 * <tr><td>{@code simulated.local/oom}</td><td>is killed because it is out of memory, exit code 137</td></tr>
 * <tr><td>{@code simulated.local/hang}</td><td>runs until the pod is deleted</td></tr>
 * <tr><td>{@code simulated.local/wait}</td><td>runs until the pod has the annotation {@value #END_ANNOTATION} with {@code succeed},
 *     {@code exit:N} or {@code oom}</td></tr>
 * <tr><td>{@code simulated.local/pull-failure}</td><td>cannot be pulled; the same for images of other registries</td></tr>
 * <tr><td>{@code simulated.local/never-scheduled}</td><td>the pod cannot be scheduled</td></tr>
 * </table>
 *
 * <p>This registry does not exist. Tekton reads the entrypoint of an image from its registry, unless the step has one:
 * every step needs a {@code command} or a {@code script}.
 *
 * <p>Steps of a Tekton task run in sequence, and those after a failed one are skipped, as Tekton's entrypoint does.
 * Init containers run first. A deleted pod ends and is removed at once. Containers are never restarted.
 */
public final class SimulatedKubelet implements AutoCloseable {

    /** The annotation that ends waiting containers. */
    public static final String END_ANNOTATION = "simulated.kubelet/end";

    /** The only node. */
    public static final String NODE_NAME = "simulated-node";

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedKubelet.class);
    private static final int WORKER_COUNT = 16;
    private static final Duration RETRY_DELAY = Duration.ofMillis(250);

    private final KubernetesClient client;
    private final PodWriter writer;
    private final InstantSource clock = InstantSource.system();
    private final Map<String, PodState> pods = new ConcurrentHashMap<>();
    private final List<ExecutorService> workers;
    private final SharedIndexInformer<Pod> informer;

    /** One pod with its last read and its last written status. Used only by the tasks of its own queue. */
    private static final class PodState {
        private final SimulatedPod simulated;
        private Pod latest;
        private Map<String, Object> writtenStatus = Map.of();
        private boolean bound;
        private boolean pullBackOff;
        private boolean removed;

        PodState(Pod pod) {
            this.latest = pod;
            this.simulated = new SimulatedPod(pod);
        }
    }

    private SimulatedKubelet(KubernetesClient client) {
        this.client = client;
        this.writer = new PodWriter(client);
        this.workers = IntStream.range(0, WORKER_COUNT)
                .mapToObj(lane -> Executors.newSingleThreadExecutor(task -> daemonThread(task, "kubelet-" + lane)))
                .toList();
        this.informer = client.pods().inAnyNamespace().runnableInformer(0);
    }

    /** Registers the node and starts with the existing pods. */
    public static SimulatedKubelet start(Kubeconfig access) {
        Config config = access.config();
        // Without the backoff of the client: pods are retried soon after the API server is back.
        config.setRequestRetryBackoffLimit(0);
        SimulatedKubelet kubelet = new SimulatedKubelet(
                new KubernetesClientBuilder().withConfig(config).build());
        SimulatedNode.register(kubelet.client, NODE_NAME);
        kubelet.informer.addEventHandler(kubelet.new PodEventHandler());
        kubelet.informer.run();
        return kubelet;
    }

    @Override
    public void close() {
        informer.stop();
        workers.forEach(ExecutorService::shutdownNow);
        client.close();
    }

    private final class PodEventHandler implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            enqueue(pod);
        }

        @Override
        public void onUpdate(Pod old, Pod pod) {
            enqueue(pod);
        }

        @Override
        public void onDelete(Pod pod, boolean unknown) {
            pods.remove(pod.getMetadata().getUid());
        }
    }

    private void enqueue(Pod pod) {
        String uid = pod.getMetadata().getUid();
        try {
            workerFor(uid).execute(() -> {
                PodState life = pods.computeIfAbsent(uid, first -> new PodState(pod));
                life.latest = pod;
                advanceOrRetry(uid, life);
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("closed; {} stays as it is", pod.getMetadata().getName());
        }
    }

    private Executor workerFor(String uid) {
        return workers.get(Math.floorMod(uid.hashCode(), WORKER_COUNT));
    }

    private void advanceAfter(String uid, PodState life, Duration wait) {
        CompletableFuture.delayedExecutor(wait.toMillis() + 1, TimeUnit.MILLISECONDS, workerFor(uid))
                .execute(() -> advanceOrRetry(uid, life));
    }

    private void advanceOrRetry(String uid, PodState life) {
        if (life.removed) {
            return;
        }
        try {
            advance(uid, life);
        } catch (KubernetesClientException refused) {
            if (PodWriter.isGone(refused)) {
                pods.remove(uid);
            } else {
                LOG.debug("pod {}: {}", life.latest.getMetadata().getName(), refused.getMessage());
                advanceAfter(uid, life, RETRY_DELAY);
            }
        }
    }

    private void advance(String uid, PodState life) {
        Pod pod = life.latest;
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            terminate(life);
        } else if (isFinal(pod)) {
            LOG.trace("pod {} has ended", pod.getMetadata().getName());
        } else if (life.simulated.isSchedulable()) {
            advanceScheduled(uid, life, pod);
        } else {
            writeStatus(life, SimulatedPodStatus.unschedulable(clock.instant()));
        }
    }

    private void advanceScheduled(String uid, PodState life, Pod pod) {
        if (pod.getSpec().getNodeName() == null && !life.bound) {
            writer.bind(pod, NODE_NAME);
            life.bound = true;
        }
        Optional<Duration> wait = life.simulated.advance(pod, clock.instant());
        writeStatus(life, SimulatedPodStatus.of(life.simulated, life.pullBackOff, clock.instant()));
        reportPullBackOff(life);
        wait.ifPresent(duration -> advanceAfter(uid, life, duration));
    }

    /** A failed pull is reported once as an error and from then on as a backoff. */
    private void reportPullBackOff(PodState life) {
        boolean stuck = life.simulated.containers().stream().anyMatch(each -> !each.isPullable());
        if (stuck && !life.pullBackOff) {
            life.pullBackOff = true;
            writeStatus(life, SimulatedPodStatus.of(life.simulated, true, clock.instant()));
        }
    }

    /** A pod without a node is deleted without a final status. */
    private void terminate(PodState life) {
        if (!isFinal(life.latest) && life.latest.getSpec().getNodeName() != null) {
            life.simulated.terminate(clock.instant());
            writeStatus(life, SimulatedPodStatus.of(life.simulated, life.pullBackOff, clock.instant()));
        }
        writer.delete(life.latest);
        life.removed = true;
    }

    private void writeStatus(PodState life, Map<String, Object> status) {
        if (!SimulatedPodStatus.isSame(life.writtenStatus, status)) {
            writer.patchStatus(life.latest, status);
            life.writtenStatus = status;
        }
    }

    private static boolean isFinal(Pod pod) {
        String phase =
                pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private static Thread daemonThread(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
