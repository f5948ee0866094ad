package dev.escapement.kubernetes.operator;

import dev.escapement.engine.Engine;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.journal.EventPoster;
import dev.escapement.kubernetes.journal.Teller;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.ItemView;
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

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Logger LOG = LoggerFactory.getLogger(ClusterOperator.class);

    /**
     * What it works with.
     *
     * @param executions becomes the store of the framework's watch
     * @param targets becomes the store of the framework's watch
     * @param runs what was prepared, started and watched
     * @param watches of runs of every kind, and of what runs consist of; started by whoever made them
     * @param policy when it changes, every target is looked at again
     */
    public record Parts(
            KubernetesClient client,
            ItemView<WorkflowExecution> executions,
            ItemView<RemediationTarget> targets,
            ExecutionStore store,
            Engine engine,
            RunnerService runs,
            List<SharedIndexInformer<? extends HasMetadata>> watches,
            PolicyMap policy,
            Teller teller,
            EventPoster poster,
            InstantSource clock) {}

    /**
     * How it works.
     *
     * @param threads that carry executions on
     * @param grace how long what is in hand may take when it stops
     * @param election empty to work at once, whoever else does
     * @param timing times every look
     */
    public record Rules(int threads, Duration grace, Optional<Election> election, Timing timing) {}

    private final Parts parts;
    private final Rules rules;
    private final Runnable lost;
    private final Operator operator;
    private final Cleanup cleanup;
    private final StuckJobs stuck;
    private final Leaving leaving;
    private final Caches caches = new Caches();
    private final AtomicBoolean synced = new AtomicBoolean();
    private final AtomicBoolean leading = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();

    private ClusterOperator(Parts parts, Rules rules, Runnable lost) {
        this.parts = parts;
        this.rules = rules;
        this.lost = lost;
        Forgetting forgetting = new Forgetting(parts.executions(), parts.store(), parts.policy());
        this.cleanup =
                new Cleanup(parts.executions(), parts.store(), parts.engine(), parts.runs(), forgetting, parts.clock());
        this.stuck = new StuckJobs(parts.client(), StuckJobs.PATIENCE);
        this.operator = new Operator(this::configure);
        RunEvents events = new RunEvents(this::seen);
        ExecutionReconciler reconciler = new ExecutionReconciler(
                parts.executions(),
                parts.engine(),
                new Unreadable(parts.store(), parts.targets(), parts.clock()),
                events.executions(),
                parts.clock(),
                parts.poster()::heldUp);
        this.leaving = new Leaving(parts.executions(), reconciler::look);
        TargetReconciler tidying = new TargetReconciler(
                parts.targets(),
                parts.executions(),
                parts.store(),
                parts.engine(),
                forgetting,
                parts.policy(),
                synced::get,
                this::isTold,
                events.targets(),
                parts.clock());
        register(reconciler, tidying);
        parts.executions().onDelete(reconciler::deleted);
        parts.targets().onDelete(tidying::deleted);
        listen(events);
    }

    /**
     * Starts to work, or to wait for its turn; what there is on the cluster is known when this returns.
     *
     * @param lost called when it must not go on, because another replica leads or the cluster cannot be watched; once
     *     or more, and not after {@link #close}
     */
    public static ClusterOperator start(Parts parts, Rules rules, Runnable lost) {
        ClusterOperator made = new ClusterOperator(parts, rules, lost);
        try {
            made.begin();
            return made;
        } catch (RuntimeException failure) {
            made.close();
            throw failure;
        }
    }

    /** What only this entry knows. It is told here too, in case nobody else does. */
    private boolean isTold(LedgerEntry entry) {
        return parts.teller()
                .clearance(entry)
                .map(clearance -> {
                    parts.poster().post(clearance);
                    return parts.poster().isTold(clearance);
                })
                .orElse(true);
    }

    private void configure(ConfigurationServiceOverrider framework) {
        framework
                .withKubernetesClient(parts.client())
                .withCloseClientOnStop(false)
                .checkingCRDAndValidateLocalModel(false)
                .withConcurrentReconciliationThreads(rules.threads())
                .withReconciliationTerminationTimeout(rules.grace())
                .withResourceCloner(new NoCloner())
                .withMetrics(rules.timing())
                // Trouble is tried again, also at the start: right after a definition was applied the API server says
                // for a moment that it gets ready. What does not come about in time is an obstacle.
                .withStopOnInformerErrorDuringStartup(false)
                .withCacheSyncTimeout(PATIENCE)
                .withInformerStoppedHandler((informer, failure) -> stopped(failure));
        rules.election()
                .ifPresent(election -> framework.withLeaderElectionConfiguration(
                        election.configuration(new LeaderCallbacks(this::lead, this::follow, leader -> {}))));
    }

    @SuppressWarnings("NullAway") // No interval is said by null.
    private void register(ExecutionReconciler reconciler, TargetReconciler tidying) {
        operator.register(
                reconciler,
                controller -> controller
                        .withName("executions")
                        .watchingAllNamespaces()
                        .withGenerationAware(false)
                        .withOnUpdateFilter(ExecutionReconciler::isWish)
                        .withItemStore(parts.executions())
                        .withReconciliationMaxInterval(null));
        operator.register(
                tidying,
                controller -> controller
                        .withName("targets")
                        .withGenerationAware(false)
                        .withItemStore(parts.targets())
                        .withReconciliationMaxInterval(null));
    }

    private void listen(RunEvents events) {
        parts.teller().listen();
        parts.poster().onLoss(parts.teller()::again);
        parts.executions().onChange(leaving::changed);
        parts.executions().onDelete(cleanup::deleted);
        parts.targets().onDelete(cleanup::removed);
        // When an entry can go was reckoned by the rules that held then.
        parts.policy()
                .onChange(() -> parts.targets()
                        .all()
                        .forEach(target -> events.wake(target.getMetadata().getName())));
        parts.watches().forEach(watch -> {
            watch.addEventHandler(isOfPods(watch) ? stuck : events);
            caches.add(watch.getApiTypeClass().getSimpleName(), watch);
        });
    }

    /** What is to be known of a pod, its run tells; except that it does not get on. */
    private static boolean isOfPods(SharedIndexInformer<?> watch) {
        return watch.getApiTypeClass() == Pod.class;
    }

    private void begin() {
        operator.start();
        synced.set(true);
        operator.getRegisteredControllers().forEach(caches::add);
        unsynced().ifPresent(problem -> {
            throw new IllegalStateException(problem);
        });
        if (rules.election().isEmpty()) {
            lead();
        }
    }

    private void lead() {
        LOG.info("this replica works");
        leading.set(true);
        cleanup.start();
        parts.teller().start();
        stuck.start();
        parts.watches().stream()
                .filter(watch -> !isOfPods(watch))
                .forEach(watch -> watch.getStore().list().forEach(cleanup::seen));
        leaving.start();
    }

    private void seen(HasMetadata run) {
        cleanup.seen(run);
        leaving.seen(run);
    }

    private void follow() {
        leading.set(false);
        if (!closing.get()) {
            LOG.error("the lease was lost: this replica must not go on");
            lost.run();
        }
    }

    private void stopped(Throwable failure) {
        if (!closing.get() && failure != null) {
            LOG.error("a watch has ended and cannot begin anew", failure);
            lost.run();
        }
    }

    /** Takes another watch into account when it is asked how it is. */
    public void watch(String what, SharedIndexInformer<?> informer) {
        caches.add(what, informer);
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
    public Optional<String> unsynced() {
        return caches.unsynced();
    }

    /** What it knows only as it was, for a moment or for longer; empty if every watch is there. */
    public Optional<String> cutOff() {
        return caches.cutOff();
    }

    /** Finishes what is in hand, and lets another replica lead. Runs go on. */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            operator.stop();
            cleanup.close();
            stuck.close();
            leaving.close();
            rules.election().ifPresent(election -> election.release(parts.client()));
        }
    }
}
