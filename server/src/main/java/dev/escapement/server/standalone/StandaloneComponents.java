package dev.escapement.server.standalone;

import static java.util.Objects.requireNonNull;

import dev.escapement.common.FailureLog;
import dev.escapement.common.WorkQueue;
import dev.escapement.engine.Engine;
import dev.escapement.engine.WaitingIndex;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.engine.request.Retention;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.server.CloseStack;
import dev.escapement.server.DatabaseFactory;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.StartException;
import dev.escapement.server.WorkItem;
import dev.escapement.server.audit.AuditService;
import dev.escapement.server.config.ReloadablePolicy;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.document.CatalogueMapper;
import dev.escapement.server.document.ClusterOnlyFields;
import dev.escapement.server.endpoint.EndpointScheduler;
import dev.escapement.server.endpoint.WorkflowRemediationRequester;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.events.JournalFollower;
import dev.escapement.server.events.StatusObservingStore;
import dev.escapement.server.http.RestServer;
import dev.escapement.server.http.WorkflowLookup;
import dev.escapement.server.http.audit.AuditRoutes;
import dev.escapement.server.http.execution.ExecutionRoutes;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.SystemRoutes;
import dev.escapement.server.metrics.JournalMetrics;
import dev.escapement.server.metrics.LedgerMetrics;
import dev.escapement.server.metrics.ServerMetrics;
import dev.escapement.server.notification.NotificationService;
import dev.escapement.server.standalone.ServerLease.LeaseLoss;
import dev.escapement.storage.Database;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All parts of a running standalone server, wired from top to bottom. They are closed in reverse order: first HTTP,
 * then the workers, then the lease, then the database. Runs keep running.
 */
final class StandaloneComponents implements AutoCloseable {

    /** Read-only search for unfinished executions whose notification was lost. */
    static final Duration UNFINISHED_SCAN_INTERVAL = Duration.ofMinutes(1);

    private static final Duration LOCK_RECOVERY_INTERVAL = Duration.ofMinutes(5);
    private static final Duration RETENTION_INTERVAL = Duration.ofHours(1);
    private static final Duration IDLE_ENTRY_CLEANUP_INTERVAL = Duration.ofSeconds(30);
    private static final Duration MAX_FAILURE_DELAY = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(StandaloneComponents.class);
    private static final String REMOVE_ENTRIES = "Removing old entries of the audit trail";
    private static final String REMOVE_EXPIRED = "Removing executions after their retention";
    private static final String RELEASE_ORPHANS = "Releasing locks of deleted executions";

    private final CloseStack closeStack = new CloseStack();
    private final ActiveRuns activeRuns = new ActiveRuns();
    private final RunnerService runner;
    private final RestServer http;

    /**
     * Opens all parts and starts to process executions.
     *
     * @param runnerFactory empty to run workflows as local processes
     * @param unfinishedScanInterval usually {@link #UNFINISHED_SCAN_INTERVAL}
     * @param port 0 for any free one
     * @param afterRestore whether it restarts because the database was restored from a backup
     * @param leaseListener called when the lease of this server is lost; must not block
     * @throws StartException if a part cannot be opened; then all others are closed again
     */
    StandaloneComponents(
            Settings settings,
            DataFolder data,
            Optional<StandaloneServer.RunnerFactory> runnerFactory,
            Duration unfinishedScanInterval,
            int port,
            InstantSource clock,
            boolean afterRestore,
            Consumer<LeaseLoss> leaseListener) {
        try {
            ReloadablePolicy policy = new ReloadablePolicy(settings, clock);
            Catalogue catalogue = new Catalogue(StandaloneFactory.openWorkflowFolder(settings));

            // The database, and the lease of this server among those that share it.
            Database database =
                    closeStack.add(DatabaseFactory.open(settings, data.path().resolve("escapement.db")));
            ServerLease lease = ServerLease.acquire(database, data, settings, clock, leaseListener);
            if (afterRestore) {
                lease.delayStarts();
            }
            closeStack.add(database.serverRegistry()::releaseLease);
            PeriodicTasks leaseTimer = closeStack.add(new PeriodicTasks("lease"));
            leaseTimer.scheduleFixedDelay(lease.renewalInterval(), "Renewing the lease", lease::renew);

            // Processing of executions.
            Journal journal = database.journal();
            ExecutionQueries queries = database.queries();
            JournalFeed feed = new JournalFeed(journal, journal.endPosition());
            FailureLog failureLog = new FailureLog(LOG, "Reconciling executions");
            WorkQueue<WorkItem> queue = new WorkQueue<>(
                    settings.get(SettingsTable.WORKERS),
                    MAX_FAILURE_DELAY,
                    (item, attempt, failure) ->
                            failureLog.recordFailure(item.execution().toString(), attempt, failure),
                    failureLog::recordSuccess);
            WaitingExecutions waiting = new WaitingExecutions(new WaitingIndex(), queue::add);
            ExecutionStore store = new StatusObservingStore(database.store(), (before, after) -> {
                activeRuns.update(after);
                waiting.update(after);
                feed.onStatusChange(before, after);
            });
            Consumer<ExecutionRef> runListener = ref -> queue.add(WorkItem.of(ref));
            runner = closeStack.add(runnerFactory
                    .map(factory -> factory.open(runListener, clock))
                    .orElseGet(() -> StandaloneFactory.openRunner(
                            settings, data, catalogue, database.serverRegistry(), lease, clock, runListener)));
            closeStack.add(() -> queue.close(settings.get(SettingsTable.STOP_GRACE)));
            Engine engine = new Engine(store, runner, policy);
            LedgerCleaner ledgerCleaner = new LedgerCleaner(database, store, engine, policy, clock);
            PeriodicTasks maintenance = closeStack.add(new PeriodicTasks("maintenance"));
            Runnable lockRecovery = () -> maintenance.submit(RELEASE_ORPHANS, ledgerCleaner::releaseOrphans);
            ExecutionProcessor processor = new ExecutionProcessor(
                    store, engine, clock, lease::mayStart, activeRuns, waiting, lockRecovery, runner::deleteRunData);
            Consumer<RunRef> runStopper =
                    run -> maintenance.submit("Stopping a run of a released lock", () -> stopRun(run));
            ExecutionTakeover takeover = new ExecutionTakeover(
                    database.serverRegistry(), lease, activeRuns, waiting::contains, queue::add, runStopper);
            policy.onChange(waiting::wakeAll);

            // Metrics, log and event stream.
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            ServerMetrics metrics = new ServerMetrics(registry);
            LedgerMetrics ledgerMetrics = new LedgerMetrics(registry, queries, clock);
            JournalFollower follower =
                    closeStack.add(new JournalFollower(journal, feed, new JournalMetrics(registry), transition -> {
                        takeover.onTransition(transition);
                        waiting.onTransition(transition);
                    }));

            // The audit trail.
            AuditService audit = closeStack.add(
                    AuditService.start(settings, database, data.serverId(), maintenance, registry, clock));

            // Notifications, before anything happens of which a person should know.
            NotificationService notifications =
                    closeStack.add(new NotificationService(settings, database, maintenance, registry, clock));

            // Recover unfinished executions, then start the workers and the timers.
            new UnknownRunRecorder(store, clock).recordUnknown(runner.listActiveRuns());
            Set<String> unfinished = takeover.unfinishedUids();
            int liveRuns = runner.recover(execution -> unfinished.contains(execution.uid()));
            queue.start(item -> requireNonNull(metrics.reconcileTimer().record(() -> processor.apply(item)))
                    .toWorkResult(clock.instant()));
            LOG.info("Recovered: runs={} unfinishedExecutions={}", liveRuns, takeover.enqueueUnfinished());
            lockRecovery.run();
            maintenance.scheduleThrottled(LOCK_RECOVERY_INTERVAL, RELEASE_ORPHANS, ledgerCleaner::releaseOrphans);
            // With a wrong clock both would remove what must last.
            maintenance.scheduleThrottled(
                    IDLE_ENTRY_CLEANUP_INTERVAL,
                    "Removing idle ledger entries",
                    () -> runIfMayStart(lease, ledgerCleaner::removeIdle));
            // On its own thread: a first cleanup may take minutes, and takeovers must not wait for it.
            PeriodicTasks cleanup = closeStack.add(new PeriodicTasks("retention"));
            scheduleRetention(cleanup, REMOVE_ENTRIES, () -> runIfMayStart(lease, audit.expiredEntryRemover()));
            Retention retention = new Retention(settings.standaloneRetention());
            if (retention.isLimited()) {
                var cleaner = new RetentionCleaner(
                        database,
                        store,
                        runner::deleteRunData,
                        retention,
                        () -> List.of(audit.copiedPosition(), notifications.readPosition()),
                        clock);
                scheduleRetention(cleanup, REMOVE_EXPIRED, () -> runIfMayStart(lease, cleaner::removeExpired));
            }
            maintenance.scheduleFixedDelay(
                    lease.renewalInterval(), "Taking over expired servers", takeover::takeOverExpiredServers);
            maintenance.scheduleThrottled(
                    unfinishedScanInterval, "Scanning unfinished executions", takeover::enqueueUnfinished);
            // What waits is woken by the journal only, so a lost notification must not be the end of it.
            maintenance.scheduleThrottled(unfinishedScanInterval, "Reading the journal", follower::readSoon);

            // Scheduled endpoints.
            boolean shared = !settings.get(SettingsTable.DATABASE).isEmpty();
            // SQLite needs no limit: one thread writes for all callers at once.
            ExecutionStore clientStore = shared ? new LimitedExecutionStore(store) : store;
            ExecutionService service = new ExecutionService(clientStore, queries, policy);
            WorkflowLookup workflows =
                    new WorkflowLookup(() -> CatalogueMapper.toDocument(catalogue, Optional.empty()));
            var remediations = new WorkflowRemediationRequester(queries, service, workflows, queue::add, clock);
            EndpointScheduler endpoints = closeStack.add(EndpointScheduler.start(
                    settings, database, data.serverId(), remediations, maintenance, registry, clock));

            // HTTP.
            List<PeriodicTasks> timers = List.of(maintenance, leaseTimer);
            HealthChecks health = new StandaloneHealth(
                            queue,
                            follower::isAlive,
                            audit::isAlive,
                            endpoints::isAlive,
                            notifications::isAlive,
                            () -> timers.stream().allMatch(PeriodicTasks::isAlive),
                            endpoints::findWriteProblem,
                            lease::startProblem,
                            catalogue.folder())
                    .createHealthChecks();
            RunLogs logs = StandaloneFactory.localLogs(runner, data.serverId());
            RestServer.Dependencies dependencies = new RestServer.Dependencies(
                    new ExecutionRoutes.Backend(
                            clientStore,
                            queries,
                            service,
                            logs,
                            queue::add,
                            UnaryOperator.identity(),
                            ClusterOnlyFields::reject),
                    Optional.of(endpoints.routeContext(queries, false)),
                    new AuditRoutes(audit.routeContext()).routes(),
                    Optional.of(notifications.routes()),
                    new SystemRoutes(workflows, policy, policy::document, health, ledgerMetrics::scrape),
                    feed,
                    clock);
            http = closeStack.add(RestServer.start(settings, port, dependencies));
            endpoints.denyOwnPort(http.address().getPort());
            notifications.denyOwnPort(http.address().getPort());
            metrics.registerStore(database::counts);
            metrics.registerQueueDepth(queue::depth);
            metrics.registerServer(http.streams()::openCount, lease::mayStart);
            closeStack.add(StandaloneFactory.watchSettingsFile(settings, policy));
            // The file may have changed before the watch began.
            policy.reload();
        } catch (RuntimeException failure) {
            closeStack.close();
            throw failure;
        }
    }

    RestServer http() {
        return http;
    }

    /** Records the runs that a restored database does not know, before this server is restarted. */
    void recordUnknownRuns(Settings settings, String serverId, InstantSource clock) {
        UnknownRunRecorder.recordBeforeRestart(settings, serverId, runner::listActiveRuns, clock);
    }

    /** Stops the runs after another server has taken over their executions: there they count as lost. */
    void stopAllRuns() {
        activeRuns.all().forEach(this::stopRun);
    }

    private void stopRun(RunRef run) {
        try {
            runner.stop(run, "a server that took over");
        } catch (RuntimeException failure) {
            LOG.warn("Run {} could not be stopped; the next start of this server stops it", run.name(), failure);
        }
    }

    /** Also at the start: a server may be restarted more often than the interval. */
    private static void scheduleRetention(PeriodicTasks cleanup, String name, Runnable task) {
        cleanup.submit(name, task);
        cleanup.scheduleThrottled(RETENTION_INTERVAL, name, task);
    }

    private static void runIfMayStart(ServerLease lease, Runnable task) {
        if (lease.mayStart()) {
            task.run();
        }
    }

    @Override
    public void close() {
        closeStack.close();
    }
}
