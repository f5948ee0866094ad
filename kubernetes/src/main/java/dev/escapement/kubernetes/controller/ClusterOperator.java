package dev.escapement.kubernetes.controller;

import dev.escapement.common.FailureLog;
import dev.escapement.common.WorkQueue;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.WaitingIndex;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.request.Retention;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.cache.WatchHealth;
import dev.escapement.kubernetes.event.EventPublisher;
import dev.escapement.kubernetes.event.EventReplayer;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles executions and targets. The informers feed a work queue, and the threads of the queue call the engine. Of
 * several replicas only the leader works, and the others keep their caches up to date; the ledger, not the election,
 * prevents double runs.
 */
public final class ClusterOperator implements AutoCloseable {

    static final Duration MAX_FAILURE_DELAY = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ClusterOperator.class);

    /**
     * What the operator works with.
     *
     * @param executions becomes the store of the informer of executions
     * @param targets becomes the store of the informer of targets
     * @param engine has the same runner service and policy
     * @param waiting follows the cache of executions
     * @param runnerService its watches must be synced
     * @param policy when it changes, every target is reconciled
     */
    public record Components(
            KubernetesClient client,
            ResourceCache<WorkflowExecutionResource> executions,
            ResourceCache<RemediationTargetResource> targets,
            Engine engine,
            WaitingIndex waiting,
            KubernetesRunnerService runnerService,
            PolicyConfigMap policy,
            EventReplayer eventReplayer,
            EventPublisher eventPublisher,
            InstantSource clock) {}

    /**
     * How the operator works.
     *
     * @param threads that reconcile
     * @param shutdownTimeout how long tasks in process may take when the operator stops
     * @param leaderElection empty to work at once, whatever other replicas do
     * @param retention of finished executions
     * @param recorded whether the audit records of an execution that ended then do not depend on it any more: others
     *     are kept beyond their retention
     * @param reconcileTimer receives how long every task takes; must not block or throw
     */
    public record Options(
            int threads,
            Duration shutdownTimeout,
            Optional<LeaderElection> leaderElection,
            Retention retention,
            Predicate<Instant> recorded,
            Consumer<Duration> reconcileTimer) {}

    private final Components components;
    private final Options options;
    private final Runnable onLeaseLost;
    private final WorkQueue<OperatorTask> queue;
    private final WatchDispatcher dispatcher;
    private final StuckJobTerminator stuckJobTerminator;
    private final List<SharedIndexInformer<?>> informers;
    private final WatchHealth watchHealth = new WatchHealth();
    private final AtomicBoolean leading = new AtomicBoolean();
    private final List<Runnable> leadingListeners = new ArrayList<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private Optional<CompletableFuture<?>> election = Optional.empty();

    private ClusterOperator(Components components, Options options, Runnable onLeaseLost) {
        this.components = components;
        this.options = options;
        this.onLeaseLost = onLeaseLost;
        FailureLog failureLog = new FailureLog(LOG, "Reconciling", FailureLog.RECOVERY_PERIOD);
        this.queue = new WorkQueue<>(
                options.threads(),
                MAX_FAILURE_DELAY,
                (task, attempt, failure) -> failureLog.recordFailure(task.key(), failure),
                failureLog::recordSuccess);
        this.stuckJobTerminator = new StuckJobTerminator(
                components.client(), StuckJobTerminator.STUCK_TIMEOUT, this::enqueue, System::nanoTime);
        this.dispatcher = newDispatcher();
        this.informers = List.of(
                newInformer("executions", WorkflowExecutionResource.class, components.executions()),
                newInformer("targets", RemediationTargetResource.class, components.targets()));
        registerListeners();
    }

    /**
     * Starts to work, or to wait for the lease. The caches are synced when this returns.
     *
     * @param onLeaseLost called when this replica must not go on because it has lost the lease; not after
     *     {@link #close}
     * @throws IllegalStateException if the caches are not synced within a minute
     */
    public static ClusterOperator start(Components components, Options options, Runnable onLeaseLost) {
        ClusterOperator operator = new ClusterOperator(components, options, onLeaseLost);
        try {
            operator.start();
            return operator;
        } catch (RuntimeException failure) {
            operator.close();
            throw failure;
        }
    }

    private WatchDispatcher newDispatcher() {
        var executions = components.executions();
        var targets = components.targets();
        var engine = components.engine();
        var clock = components.clock();
        var invalidHandler = new InvalidExecutionHandler(engine.store(), targets, clock);
        return new WatchDispatcher(
                executions,
                targets,
                new ExecutionReconciler(
                        executions, engine, invalidHandler, clock, components.eventPublisher()::publishHeldUp),
                new TargetReconciler(
                        targets,
                        executions,
                        engine,
                        components.runnerService()::deleteRunData,
                        this::ensureClearancePublished,
                        clock),
                new ClearanceReconciler(
                        new ResourceWriter<>(components.client(), RemediationTargetResource.class, targets),
                        engine.store(),
                        components.eventPublisher()::publishClearanceRefused,
                        clock)::reconcile,
                components.waiting(),
                this::enqueue);
    }

    /** Only the entry records its clearance, so it is published here too in case that has not been done. */
    private boolean ensureClearancePublished(LedgerEntry entry) {
        Optional<Transition> clearance = components.eventReplayer().recentClearance(entry);
        clearance.ifPresent(components.eventPublisher()::publish);
        return clearance.map(components.eventPublisher()::isPublished).orElse(true);
    }

    private <T extends HasMetadata> SharedIndexInformer<T> newInformer(
            String name, Class<T> type, ResourceCache<T> cache) {
        var informer = cache.newInformer(components.client().resources(type).inAnyNamespace());
        watchHealth.add(name, informer);
        return informer;
    }

    private void registerListeners() {
        dispatcher.registerListeners();
        // The times at which an entry becomes idle and an execution is admitted depend on the policy.
        components.policy().onChange(dispatcher::enqueueAllTargets);
        components.runnerService().onStalled(dispatcher::dispatchRun);
        components.policy().onChange(dispatcher::enqueueAllWaiting);
        components.runnerService().informers().forEach(informer -> {
            informer.addEventHandler(watchesPods(informer) ? stuckJobTerminator : dispatcher);
            watchHealth.add(informer.getApiTypeClass().getSimpleName(), informer);
        });
    }

    private static boolean watchesPods(SharedIndexInformer<?> informer) {
        return informer.getApiTypeClass() == Pod.class;
    }

    private void start() {
        WatchHealth.startAll(informers);
        if (options.leaderElection().isEmpty()) {
            startLeading();
        } else {
            LeaderCallbacks callbacks = new LeaderCallbacks(this::startLeading, this::stopLeading, leader -> {});
            election = Optional.of(options.leaderElection().get().start(components.client(), callbacks));
        }
    }

    /** Calls a listener when this replica begins to lead; at once if it leads already. It must not block or throw. */
    public void onLeading(Runnable listener) {
        synchronized (leadingListeners) {
            if (!leading.get()) {
                leadingListeners.add(listener);
                return;
            }
        }
        listener.run();
    }

    private void startLeading() {
        LOG.info("This replica leads and starts to reconcile");
        synchronized (leadingListeners) {
            leading.set(true);
        }
        leadingListeners.forEach(Runnable::run);
        queue.start(this::process);
        components.eventPublisher().onLoss(components.eventReplayer()::replayAll);
        components.eventReplayer().start();
        dispatcher.enqueueAllExecutions();
        dispatcher.enqueueAllTargets();
        components.runnerService().informers().stream()
                .filter(informer -> !watchesPods(informer))
                .forEach(informer -> informer.getStore().list().forEach(dispatcher::dispatchRun));
        stuckJobTerminator.enqueueAll();
        if (options.retention().isLimited()) {
            enqueue(new OperatorTask("retention", newRetention()::removeExpired));
        }
    }

    private ExecutionRetention newRetention() {
        var executions =
                new ResourceWriter<>(components.client(), WorkflowExecutionResource.class, components.executions());
        var targets = new ResourceWriter<>(components.client(), RemediationTargetResource.class, components.targets());
        return new ExecutionRetention(
                executions,
                targets,
                components.engine().store(),
                options.retention(),
                options.recorded(),
                components.clock());
    }

    private void stopLeading() {
        leading.set(false);
        if (!closing.get()) {
            LOG.error("The lease was lost: this replica must stop");
            onLeaseLost.run();
        }
    }

    /** Drops the task of a replica that does not lead: the leader sees the same, and a new leader enqueues all. */
    private void enqueue(OperatorTask task) {
        if (leading.get()) {
            queue.add(task);
        }
    }

    private WorkResult process(OperatorTask task) {
        long start = System.nanoTime();
        try {
            return task.action().get();
        } finally {
            options.reconcileTimer().accept(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    public WatchHealth watchHealth() {
        return watchHealth;
    }

    public boolean isLeading() {
        return leading.get();
    }

    /** Returns whether the threads can work. */
    public boolean isAlive() {
        return queue.isAlive();
    }

    /** Waits for the tasks in process, then releases the lease. Runs go on. */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            queue.close(options.shutdownTimeout());
            election.ifPresent(future -> future.cancel(true));
            leading.set(false);
            informers.forEach(SharedIndexInformer::close);
        }
    }
}
