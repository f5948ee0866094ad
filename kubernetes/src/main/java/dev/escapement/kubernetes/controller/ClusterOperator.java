package dev.escapement.kubernetes.controller;

import dev.escapement.engine.Engine;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.InformerStore;
import dev.escapement.kubernetes.event.EventPublisher;
import dev.escapement.kubernetes.event.EventReplayer;
import dev.escapement.kubernetes.ledger.LedgerReset;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator at work: the framework's controllers for executions and targets, woken by the watches. Of several
 * replicas one works, and the others know all that it knows; it is the ledger, not the election, that keeps two from
 * running the same.
 */
public final class ClusterOperator implements AutoCloseable {

    private static final Duration CACHE_SYNC_TIMEOUT = Duration.ofSeconds(60);
    private static final Logger LOG = LoggerFactory.getLogger(ClusterOperator.class);

    /**
     * What it works with.
     *
     * @param executions becomes the store of the framework's watch
     * @param targets becomes the store of the framework's watch
     * @param runnerService what was prepared, started and watched
     * @param runInformers of runs of every kind, and of what runs consist of; started by whoever made them
     * @param policy when it changes, every target is looked at again
     */
    public record Components(
            KubernetesClient client,
            InformerStore<WorkflowExecutionResource> executions,
            InformerStore<RemediationTargetResource> targets,
            ExecutionStore store,
            Engine engine,
            RunnerService runnerService,
            List<SharedIndexInformer<? extends HasMetadata>> runInformers,
            PolicyConfigMap policy,
            EventReplayer eventReplayer,
            EventPublisher eventPublisher,
            InstantSource clock) {}

    /**
     * How it works.
     *
     * @param threads that carry executions on
     * @param shutdownTimeout how long what is in hand may take when it stops
     * @param leaderElection empty to work at once, whoever else does
     * @param reconcileTimer times every look
     */
    public record Options(
            int threads,
            Duration shutdownTimeout,
            Optional<LeaderElection> leaderElection,
            ReconcileTimer reconcileTimer) {}

    private final Components components;
    private final Options options;
    private final Runnable onFatal;
    private final Operator operator;
    private final DeletionCleanup cleanup;
    private final StuckJobTerminator stuckJobTerminator;
    private final TerminatingExecutions terminatingExecutions;
    private final WatchHealth watchHealth = new WatchHealth();
    private final AtomicBoolean synced = new AtomicBoolean();
    private final AtomicBoolean leading = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();

    private ClusterOperator(Components parts, Options rules, Runnable lost) {
        this.components = parts;
        this.options = rules;
        this.onFatal = lost;
        LedgerReset forgetting = new LedgerReset(parts.executions(), parts.store(), parts.policy());
        this.cleanup = new DeletionCleanup(
                parts.executions(), parts.store(), parts.engine(), parts.runnerService(), forgetting, parts.clock());
        this.stuckJobTerminator = new StuckJobTerminator(parts.client(), StuckJobTerminator.STUCK_TIMEOUT);
        this.operator = new Operator(this::configure);
        RunEventDispatcher events = new RunEventDispatcher(this::onRunChanged);
        ExecutionReconciler reconciler = new ExecutionReconciler(
                parts.executions(),
                parts.engine(),
                new InvalidExecutionHandler(parts.store(), parts.targets(), parts.clock()),
                events.executionSource(),
                parts.clock(),
                parts.eventPublisher()::publishHeldUp);
        this.terminatingExecutions = new TerminatingExecutions(parts.executions(), reconciler::reconcileById);
        TargetReconciler tidying = new TargetReconciler(
                parts.targets(),
                parts.executions(),
                parts.store(),
                parts.engine(),
                forgetting,
                parts.policy(),
                synced::get,
                this::ensureClearancePublished,
                events.targetSource(),
                parts.clock());
        registerReconcilers(reconciler, tidying);
        parts.executions().onDelete(reconciler::onDeleted);
        parts.targets().onDelete(tidying::onDeleted);
        registerListeners(events);
    }

    /**
     * Starts to work, or to wait for its turn; what there is on the cluster is known when this returns.
     *
     * @param lost called when it must not go on, because another replica leads or the cluster cannot be watched; once
     *     or more, and not after {@link #close}
     */
    public static ClusterOperator start(Components parts, Options rules, Runnable lost) {
        ClusterOperator made = new ClusterOperator(parts, rules, lost);
        try {
            made.startControllers();
            return made;
        } catch (RuntimeException failure) {
            made.close();
            throw failure;
        }
    }

    /** What only this entry knows. It is told here too, in case nobody else does. */
    private boolean ensureClearancePublished(LedgerEntry entry) {
        return components
                .eventReplayer()
                .recentClearance(entry)
                .map(clearance -> {
                    components.eventPublisher().publish(clearance);
                    return components.eventPublisher().isPublished(clearance);
                })
                .orElse(true);
    }

    private void configure(ConfigurationServiceOverrider framework) {
        framework
                .withKubernetesClient(components.client())
                .withCloseClientOnStop(false)
                .checkingCRDAndValidateLocalModel(false)
                .withConcurrentReconciliationThreads(options.threads())
                .withReconciliationTerminationTimeout(options.shutdownTimeout())
                .withResourceCloner(new IdentityCloner())
                .withMetrics(options.reconcileTimer())
                // Trouble is tried again, also at the start: right after a definition was applied the API server says
                // for a moment that it gets ready. What does not come about in time is an obstacle.
                .withStopOnInformerErrorDuringStartup(false)
                .withCacheSyncTimeout(CACHE_SYNC_TIMEOUT)
                .withInformerStoppedHandler((informer, failure) -> onInformerStopped(failure));
        options.leaderElection()
                .ifPresent(election -> framework.withLeaderElectionConfiguration(election.configuration(
                        new LeaderCallbacks(this::startLeading, this::stopLeading, leader -> {}))));
    }

    @SuppressWarnings("NullAway") // No interval is said by null.
    private void registerReconcilers(ExecutionReconciler reconciler, TargetReconciler tidying) {
        operator.register(
                reconciler,
                controller -> controller
                        .withName("executions")
                        .watchingAllNamespaces()
                        .withGenerationAware(false)
                        .withOnUpdateFilter(ExecutionReconciler::isUserChange)
                        .withItemStore(components.executions())
                        .withReconciliationMaxInterval(null));
        operator.register(
                tidying,
                controller -> controller
                        .withName("targets")
                        .withGenerationAware(false)
                        .withItemStore(components.targets())
                        .withReconciliationMaxInterval(null));
    }

    private void registerListeners(RunEventDispatcher events) {
        components.eventReplayer().registerListeners();
        components.eventPublisher().onLoss(components.eventReplayer()::replayAll);
        components.executions().onChange(terminatingExecutions::onExecutionChanged);
        components.executions().onDelete(cleanup::onExecutionDeleted);
        components.targets().onDelete(cleanup::onTargetDeleted);
        // When an entry can go was reckoned by the rules that held then.
        components
                .policy()
                .onChange(() -> components
                        .targets()
                        .all()
                        .forEach(target ->
                                events.triggerTarget(target.getMetadata().getName())));
        components.runInformers().forEach(watch -> {
            watch.addEventHandler(watchesPods(watch) ? stuckJobTerminator : events);
            watchHealth.add(watch.getApiTypeClass().getSimpleName(), watch);
        });
    }

    /** What is to be known of a pod, its run tells; except that it does not get on. */
    private static boolean watchesPods(SharedIndexInformer<?> watch) {
        return watch.getApiTypeClass() == Pod.class;
    }

    private void startControllers() {
        operator.start();
        synced.set(true);
        operator.getRegisteredControllers().forEach(watchHealth::add);
        findUnsyncedWatch().ifPresent(problem -> {
            throw new IllegalStateException(problem);
        });
        if (options.leaderElection().isEmpty()) {
            startLeading();
        }
    }

    private void startLeading() {
        LOG.info("this replica works");
        leading.set(true);
        cleanup.start();
        components.eventReplayer().start();
        stuckJobTerminator.start();
        components.runInformers().stream()
                .filter(watch -> !watchesPods(watch))
                .forEach(watch -> watch.getStore().list().forEach(cleanup::onRunChanged));
        terminatingExecutions.start();
    }

    private void onRunChanged(HasMetadata run) {
        cleanup.onRunChanged(run);
        terminatingExecutions.onRunChanged(run);
    }

    private void stopLeading() {
        leading.set(false);
        if (!closing.get()) {
            LOG.error("the lease was lost: this replica must not go on");
            onFatal.run();
        }
    }

    private void onInformerStopped(Throwable failure) {
        if (!closing.get() && failure != null) {
            LOG.error("a watch has ended and cannot begin anew", failure);
            onFatal.run();
        }
    }

    /** Takes another watch into account when it is asked how it is. */
    public void addWatch(String what, SharedIndexInformer<?> informer) {
        watchHealth.add(what, informer);
    }

    /** Whether this replica works. */
    public boolean isLeading() {
        return leading.get();
    }

    /** Whether its threads can work. */
    public boolean isAlive() {
        return cleanup.isAlive() && operator.getRuntimeInfo().isStarted();
    }

    /** What it does not know yet of the cluster; empty if all is well. */
    public Optional<String> findUnsyncedWatch() {
        return watchHealth.findUnsynced();
    }

    /** What it knows only as it was, for a moment or for longer; empty if every watch is there. */
    public Optional<String> findDisconnectedWatch() {
        return watchHealth.findDisconnected();
    }

    /** Finishes what is in hand, and lets another replica lead. Runs go on. */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            operator.stop();
            cleanup.close();
            stuckJobTerminator.close();
            terminatingExecutions.close();
            options.leaderElection().ifPresent(election -> election.release(components.client()));
        }
    }
}
