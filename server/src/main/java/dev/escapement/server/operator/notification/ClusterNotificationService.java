package dev.escapement.server.operator.notification;

import dev.escapement.common.FailureLog;
import dev.escapement.common.WorkQueue;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.event.EventJournal;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.notifications.delivery.ChannelSender;
import dev.escapement.server.CloseStack;
import dev.escapement.server.config.Setting;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.http.notification.NotificationRoutes;
import dev.escapement.server.metrics.NotificationMetrics;
import dev.escapement.server.notification.NotificationChannels;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/**
 * Creates and sends the notifications of an operator. Every replica watches them, for its REST API; only the leader
 * creates and sends.
 */
public final class ClusterNotificationService implements AutoCloseable {

    /**
     * What it reads.
     *
     * @param executions the cache of an informer
     * @param targets the cache of an informer
     */
    public record Sources(
            KubernetesClient client,
            ResourceCache<WorkflowExecutionResource> executions,
            ResourceCache<RemediationTargetResource> targets,
            EventJournal journal) {}

    private static final Duration MAX_FAILURE_DELAY = Duration.ofSeconds(10);

    /** Of finished notifications, unless it is set: they make every list of the API server longer. */
    private static final Duration DEFAULT_KEEP_FOR = Duration.ofDays(7);

    private final CloseStack closeStack = new CloseStack();
    private final AtomicBoolean started = new AtomicBoolean();
    private final NotificationChannels channels;
    private final NotificationObjects objects;
    private final NotificationReconciler reconciler;
    private final NotificationRetention retention;
    private final WorkQueue<NotificationTask> queue;
    private final ClusterNotificationCreator creator;
    private final SharedIndexInformer<NotificationRequestResource> informer;

    /**
     * Starts to watch notifications.
     *
     * @param leading whether this replica leads now; nothing is sent otherwise
     */
    public ClusterNotificationService(
            Settings settings, Sources sources, MeterRegistry registry, InstantSource clock, BooleanSupplier leading) {
        this(settings, sources, registry, clock, leading, Duration.ZERO, ClusterNotificationCreator.MAX_PENDING);
    }

    /**
     * @param lease zero for the one of the channels
     * @param maxPending how many transitions without a notification are kept in memory
     */
    ClusterNotificationService(
            Settings settings,
            Sources sources,
            MeterRegistry registry,
            InstantSource clock,
            BooleanSupplier leading,
            Duration lease,
            int maxPending) {
        KubernetesClient client = sources.client();
        String namespace = settings.get(SettingsTable.NAMESPACE);
        NotificationMetrics metrics = new NotificationMetrics(registry);
        this.channels = closeStack.add(new NotificationChannels(settings, metrics, clock));
        ResourceCache<NotificationRequestResource> cache = new ResourceCache<>();
        this.objects = new NotificationObjects(
                new ResourceWriter<>(client, NotificationRequestResource.class, cache), namespace);
        metrics.registerPending(objects::countUnfinished, System::nanoTime);
        this.reconciler = new NotificationReconciler(
                new NotificationReconciler.Components(
                        objects,
                        new ChannelSender(channels::setup),
                        metrics,
                        clock,
                        System::nanoTime,
                        new ChannelPermits(NotificationChannels.MAX_PER_CHANNEL)),
                () -> lease.isZero() ? channels.setup().lease() : lease,
                leading);
        this.retention = new NotificationRetention(objects, keepFor(settings), clock);
        FailureLog failureLog = new FailureLog(
                LoggerFactory.getLogger(ClusterNotificationService.class),
                "Delivering notifications",
                FailureLog.RECOVERY_PERIOD);
        this.queue = new WorkQueue<>(
                NotificationChannels.CONCURRENCY,
                MAX_FAILURE_DELAY,
                (task, attempt, failure) -> failureLog.recordFailure(task.key(), failure),
                failureLog::recordSuccess);
        this.creator = new ClusterNotificationCreator(
                sources.journal(),
                receiver -> new TransitionSource(
                        sources.executions(), sources.targets(), sources.journal(), receiver::offer, clock),
                channels::planner,
                new NotificationWriter(objects, channels::planner),
                new NotificationPosition.Store(client, namespace),
                metrics,
                System::nanoTime,
                maxPending);
        this.informer = cache.newInformer(
                client.resources(NotificationRequestResource.class).inAnyNamespace());
        closeStack.add(informer);
        Duration stopGrace = settings.get(SettingsTable.STOP_GRACE);
        closeStack.add(() -> queue.close(stopGrace));
        closeStack.add(creator);
        cache.onAdd(this::enqueue);
        cache.onUpdate((before, after) -> enqueue(after));
        var unused = informer.start();
    }

    private static Duration keepFor(Settings settings) {
        boolean isDefault =
                settings.origin(SettingsTable.NOTIFICATIONS_KEEP_FOR.key()).equals(Setting.Origin.DEFAULT);
        return isDefault ? DEFAULT_KEEP_FOR : settings.get(SettingsTable.NOTIFICATIONS_KEEP_FOR);
    }

    /** Starts to create and send notifications, because this replica leads. Does not block. */
    public void startLeading() {
        if (started.compareAndSet(false, true)) {
            queue.start(task -> task.action().get());
            creator.start();
            objects.writer().cache().all().forEach(this::enqueue);
            queue.add(new NotificationTask("retention", retention::removeExpired));
        }
    }

    /** Drops the notifications of a replica that does not lead: a new leader enqueues all. */
    private void enqueue(NotificationRequestResource resource) {
        if (started.get() && !resource.isFinal()) {
            var meta = resource.getMetadata();
            queue.add(new NotificationTask(
                    "notification " + NotificationObjects.key(resource),
                    () -> reconciler.reconcile(meta.getNamespace(), meta.getName(), () -> enqueue(resource))));
        }
    }

    /** Returns the informer, to wait until it is synced and to watch its health. */
    public SharedIndexInformer<NotificationRequestResource> informer() {
        return informer;
    }

    public NotificationRoutes routes() {
        return new NotificationRoutes(objects, channels::names, channels::sendTest);
    }

    /** Denies channels the port that the HTTP server got, if it was chosen by the system. */
    public void denyOwnPort(int port) {
        channels.denyOwnPort(port);
    }

    /** Returns whether all of its threads run; those of a replica that does not lead are not started. */
    public boolean isAlive() {
        return !started.get() || (queue.isAlive() && creator.isAlive());
    }

    /** Stops and waits for deliveries in progress; one that takes too long is repeated by the next leader. */
    @Override
    public void close() {
        closeStack.close();
    }
}
