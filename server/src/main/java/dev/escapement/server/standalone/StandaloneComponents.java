package dev.escapement.server.standalone;

import dev.escapement.common.FailureLog;
import dev.escapement.common.WorkQueue;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.server.CloseStack;
import dev.escapement.server.DatabaseFactory;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.StartException;
import dev.escapement.server.WorkItem;
import dev.escapement.server.config.ReloadablePolicy;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.endpoint.EndpointScheduler;
import dev.escapement.server.endpoint.WorkflowRemediationRequester;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.events.JournalFollower;
import dev.escapement.server.events.StatusObservingStore;
import dev.escapement.server.http.RestServer;
import dev.escapement.server.http.WorkflowLookup;
import dev.escapement.server.http.execution.ExecutionRoutes;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.SystemRoutes;
import dev.escapement.server.metrics.JournalMetrics;
import dev.escapement.server.metrics.LedgerMetrics;
import dev.escapement.server.metrics.ServerMetrics;
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
    private static final Duration IDLE_ENTRY_CLEANUP_INTERVAL = Duration.ofSeconds(30);
    private static final Duration MAX_FAILURE_DELAY = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(StandaloneComponents.class);
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
     * @param takeoverListener called when another server has taken over this server's executions; must not block
     * @throws StartException if a part cannot be opened; then all others are closed again
     */
    StandaloneComponents(
            Settings settings,
            DataFolder data,
            Optional<StandaloneServer.RunnerFactory> runnerFactory,
            Duration unfinishedScanInterval,
            int port,
            InstantSource clock,
            Runnable takeoverListener) {
        try {
            ReloadablePolicy policy = new ReloadablePolicy(settings, clock);
            Catalogue catalogue = new Catalogue(StandaloneFactory.openWorkflowFolder(settings));

            // The database, and the lease of this server among those that share it.
            Database database =
                    closeStack.add(DatabaseFactory.open(settings, data.path().resolve("escapement.db")));
            ServerLease lease = ServerLease.acquire(database, data, settings, clock, takeoverListener);
            closeStack.add(database.serverRegistry()::releaseLease);
            PeriodicTasks leaseTimer = closeStack.add(new PeriodicTasks("lease"));
            leaseTimer.scheduleFixedDelay(lease.renewalInterval(), "Renewing the lease", lease::renew);

            // Processing of executions.
            Journal journal = database.journal();
            ExecutionQueries queries = database.queries();
            JournalFeed feed = new JournalFeed(journal, journal.endPosition());
            ExecutionStore store = new StatusObservingStore(database.store(), (before, after) -> {
                activeRuns.update(after);
                feed.onStatusChange(before, after);
            });
            FailureLog failureLog = new FailureLog(LOG, "Reconciling executions");
            WorkQueue<WorkItem> queue = new WorkQueue<>(
                    settings.get(SettingsTable.WORKERS),
                    MAX_FAILURE_DELAY,
                    (item, attempt, failure) ->
                            failureLog.recordFailure(item.execution().toString(), attempt, failure),
                    failureLog::recordSuccess);
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
                    store, engine, clock, lease::mayStart, activeRuns, lockRecovery, runner::deleteRunData);
            Consumer<RunRef> runStopper =
                    run -> maintenance.submit("Stopping a run of a released lock", () -> stopRun(run));
            ExecutionTakeover takeover =
                    new ExecutionTakeover(database.serverRegistry(), lease, activeRuns, queue::add, runStopper);

            // Metrics, log and event stream.
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            ServerMetrics metrics = new ServerMetrics(registry);
            LedgerMetrics ledgerMetrics = new LedgerMetrics(registry, queries, clock);
            JournalFollower follower = closeStack.add(
                    new JournalFollower(journal, feed, new JournalMetrics(registry), takeover::onTransition));

            // Recover unfinished executions, then start the workers and the timers.
            Set<String> unfinished = takeover.unfinishedUids();
            int liveRuns = runner.recover(execution -> unfinished.contains(execution.uid()));
            queue.start(item -> metrics.reconcileTimer().record(() -> processor.apply(item)) == Requeue.IMMEDIATELY
                    ? WorkResult.CONFLICT
                    : WorkResult.DONE);
            LOG.info("Recovered: runs={} unfinishedExecutions={}", liveRuns, takeover.enqueueUnfinished());
            lockRecovery.run();
            maintenance.scheduleThrottled(LOCK_RECOVERY_INTERVAL, RELEASE_ORPHANS, ledgerCleaner::releaseOrphans);
            maintenance.scheduleThrottled(
                    IDLE_ENTRY_CLEANUP_INTERVAL, "Removing idle ledger entries", ledgerCleaner::removeIdle);
            maintenance.scheduleFixedDelay(
                    lease.renewalInterval(), "Taking over expired servers", takeover::takeOverExpiredServers);
            maintenance.scheduleThrottled(
                    unfinishedScanInterval, "Scanning unfinished executions", takeover::enqueueUnfinished);

            // Scheduled endpoints.
            ExecutionService service = new ExecutionService(store, queries, policy);
            WorkflowLookup workflows = new WorkflowLookup(() -> StandaloneFactory.toDocument(catalogue));
            var remediations = new WorkflowRemediationRequester(queries, service, workflows, queue::add, clock);
            EndpointScheduler endpoints = closeStack.add(EndpointScheduler.start(
                    settings, database, data.serverId(), remediations, maintenance, registry, clock));

            // HTTP.
            List<PeriodicTasks> timers = List.of(maintenance, leaseTimer);
            HealthChecks health = new StandaloneHealth(queue, follower, endpoints, timers, lease, catalogue.folder())
                    .createHealthChecks();
            RunLogs logs = StandaloneFactory.localLogs(runner, data.serverId());
            RestServer.Dependencies dependencies = new RestServer.Dependencies(
                    new ExecutionRoutes.Backend(store, queries, service, logs, queue::add, UnaryOperator.identity()),
                    Optional.of(endpoints.routeContext(queries)),
                    new SystemRoutes(workflows, policy, policy::document, health, ledgerMetrics::scrape),
                    feed,
                    clock);
            http = closeStack.add(RestServer.start(settings, port, dependencies));
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

    @Override
    public void close() {
        closeStack.close();
    }
}
