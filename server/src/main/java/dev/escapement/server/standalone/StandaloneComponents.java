package dev.escapement.server.standalone;

import dev.escapement.common.FailureLog;
import dev.escapement.common.WorkQueue;
import dev.escapement.common.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.server.CloseStack;
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
import dev.escapement.server.events.TransitionLogger;
import dev.escapement.server.http.ExecutionBackend;
import dev.escapement.server.http.RestServer;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.HealthChecks.Check;
import dev.escapement.server.http.system.SystemBackend;
import dev.escapement.server.metrics.EndpointMetrics;
import dev.escapement.server.metrics.JournalMetrics;
import dev.escapement.server.metrics.LedgerMetrics;
import dev.escapement.server.metrics.ServerMetrics;
import dev.escapement.storage.Database;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All parts of a running standalone server, wired from top to bottom. They are closed in reverse order: first HTTP,
 * then the workers, then the lease, then the database. Runs keep running.
 */
final class StandaloneComponents implements AutoCloseable {

    private static final Duration MAX_FAILURE_DELAY = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(StandaloneComponents.class);
    private static final String RELEASE_ORPHANS = "Releasing locks of deleted executions";

    private final CloseStack closeStack;
    private final ActiveRuns activeRuns = new ActiveRuns();
    private final RunnerService runner;
    private final RestServer http;

    /**
     * Opens all parts and starts to process executions.
     *
     * @param runnerFactory empty to run workflows as local processes
     * @param port 0 for any free one
     * @param takeoverListener called when another server has taken over this server's executions; must not block
     * @throws StartException if a part cannot be opened; then all others are closed again
     */
    static StandaloneComponents start(
            Settings settings,
            DataFolder data,
            Optional<RunnerFactory> runnerFactory,
            MaintenanceIntervals intervals,
            int port,
            InstantSource clock,
            Runnable takeoverListener) {
        CloseStack closeStack = new CloseStack();
        try {
            return new StandaloneComponents(
                    closeStack, settings, data, runnerFactory, intervals, port, clock, takeoverListener);
        } catch (RuntimeException failure) {
            closeStack.close();
            throw failure;
        }
    }

    private StandaloneComponents(
            CloseStack closeStack,
            Settings settings,
            DataFolder data,
            Optional<RunnerFactory> runnerFactory,
            MaintenanceIntervals intervals,
            int port,
            InstantSource clock,
            Runnable takeoverListener) {
        this.closeStack = closeStack;
        ReloadablePolicy policy = new ReloadablePolicy(settings, clock);
        Catalogue catalogue = new Catalogue(StandaloneFactory.openWorkflowFolder(settings));

        // The database, and the lease of this server among those that share it.
        Database database = closeStack.add(StandaloneFactory.openDatabase(settings, data));
        ServerLease lease = ServerLease.acquire(database, data, settings, clock, takeoverListener);
        closeStack.onClose(database.serverRegistry()::releaseLease);
        PeriodicTasks leaseTimer = closeStack.add(new PeriodicTasks("lease"));
        leaseTimer.scheduleFixedDelay(lease.renewalInterval(), "Renewing the lease", lease::renew);

        // Processing of executions.
        JournalFeed feed =
                new JournalFeed(database.journal(), database.journal().endPosition());
        ExecutionStore store =
                new StatusObservingStore(database.store(), (before, after) -> onStatusChange(feed, before, after));
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
        closeStack.onClose(() -> queue.close(settings.get(SettingsTable.STOP_GRACE)));
        Engine engine = new Engine(store, runner, policy);
        LedgerCleaner ledgerCleaner =
                new LedgerCleaner(new StandaloneFactory.DatabaseCandidates(database), store, engine, policy, clock);
        PeriodicTasks maintenance = closeStack.add(new PeriodicTasks("maintenance"));
        ExecutionProcessor processor = new ExecutionProcessor(
                store,
                engine,
                clock,
                lease::mayStart,
                activeRuns::update,
                () -> maintenance.submit(RELEASE_ORPHANS, ledgerCleaner::releaseOrphans),
                runner::deleteRunData);
        ExecutionTakeover takeover = new ExecutionTakeover(database.serverRegistry(), lease, activeRuns, queue::add);

        // Metrics, log and event stream.
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ServerMetrics metrics = new ServerMetrics(registry);
        LedgerMetrics ledgerMetrics = new LedgerMetrics(registry, database.queries(), clock, System::nanoTime);
        JournalDispatcher dispatcher = new JournalDispatcher(
                feed,
                new JournalMetrics(registry),
                new TransitionLogger(),
                activeRuns,
                processor,
                queue::add,
                run -> maintenance.submit("Stopping a run of a released lock", () -> stopRun(run)));
        JournalFollower follower =
                closeStack.add(new JournalFollower(database.journal(), feed.position(), dispatcher::dispatch));

        // Recover unfinished executions, then start the workers and the timers.
        Set<String> unfinished = takeover.unfinishedUids();
        int liveRuns = runner.recover(execution -> unfinished.contains(execution.uid()));
        queue.start(item -> metrics.reconcileTimer().record(() -> processor.apply(item)) == Requeue.IMMEDIATELY
                ? WorkResult.CONFLICT
                : WorkResult.DONE);
        LOG.info("Recovered: runs={} unfinishedExecutions={}", liveRuns, takeover.enqueueUnfinished());
        maintenance.submit(RELEASE_ORPHANS, ledgerCleaner::releaseOrphans);
        maintenance.scheduleThrottled(intervals.lockRecovery(), RELEASE_ORPHANS, ledgerCleaner::releaseOrphans);
        maintenance.scheduleThrottled(
                intervals.idleEntryCleanup(), "Removing idle ledger entries", ledgerCleaner::removeIdle);
        maintenance.scheduleFixedDelay(
                lease.renewalInterval(), "Taking over expired servers", takeover::takeOverExpiredServers);
        maintenance.scheduleThrottled(
                intervals.unfinishedScan(), "Scanning unfinished executions", takeover::enqueueUnfinished);

        // Scheduled endpoints.
        ExecutionService service = new ExecutionService(store, database.queries(), policy);
        CatalogueWorkflowLookup workflows = new CatalogueWorkflowLookup(catalogue);
        EndpointScheduler endpoints = closeStack.add(EndpointScheduler.start(
                settings,
                database,
                data.serverId(),
                new WorkflowRemediationRequester(database.queries(), service, workflows, queue::add, clock),
                maintenance,
                new EndpointMetrics(registry),
                clock));

        // HTTP.
        List<Check> livenessChecks =
                livenessChecks(queue, follower, endpoints, () -> maintenance.isAlive() && leaseTimer.isAlive());
        http = closeStack.add(RestServer.start(
                settings,
                port,
                new RestServer.Dependencies(
                        new ExecutionBackend(
                                store,
                                database.queries(),
                                service,
                                new LocalRunLogs(runner, data.serverId()),
                                queue::add,
                                UnaryOperator.identity()),
                        Optional.of(endpoints.routeContext((namespace, name) -> phaseOf(database, namespace, name))),
                        new SystemBackend(
                                workflows,
                                policy,
                                createHealthChecks(database, lease::mayStart, catalogue, livenessChecks),
                                () -> {
                                    ledgerMetrics.refresh();
                                    return registry.scrape();
                                }),
                        feed,
                        clock)));
        // Before the connections are closed, so that event streams end in order.
        closeStack.onClose(feed::close);
        metrics.registerStore(
                () -> database.counts().statements(), () -> database.counts().writeTransactions());
        metrics.registerQueueDepth(queue::depth);
        metrics.registerEventClients(http::openStreams);
        metrics.registerLease(() -> lease.mayStart() ? 1 : 0);
        closeStack.add(StandaloneFactory.watchSettingsFile(settings, policy));
        // The file may have changed before the watch began.
        policy.reload();
    }

    private static List<Check> livenessChecks(
            WorkQueue<?> queue, JournalFollower follower, EndpointScheduler endpoints, BooleanSupplier timers) {
        return List.of(
                Check.of("workers", queue::isAlive, "its threads have ended"),
                Check.of("journal", follower::isAlive, "its thread has ended"),
                Check.of("endpoints", endpoints::isAlive, "its threads have ended"),
                Check.of("timers", timers, "their threads have ended"));
    }

    private static HealthChecks createHealthChecks(
            Database database, BooleanSupplier mayStart, Catalogue catalogue, List<Check> livenessChecks) {
        return new HealthChecks(
                livenessChecks,
                List.of(
                        Check.of("database", () -> ping(database), "does not answer"),
                        Check.of("lease", mayStart, "could not be renewed in time: no run is started"),
                        Check.of("catalogue", () -> Files.isReadable(catalogue.folder()), "folder cannot be read")),
                System::nanoTime);
    }

    private static Optional<String> phaseOf(Database database, String namespace, String name) {
        return database.queries()
                .findExecution(namespace, name)
                .map(seen -> seen.value().status().phase());
    }

    private static boolean ping(Database database) {
        database.ping();
        return true;
    }

    private void onStatusChange(JournalFeed feed, Execution before, Execution after) {
        activeRuns.update(after);
        if (before.status() instanceof ExecutionStatus.Running && after.status() instanceof ExecutionStatus.Running) {
            feed.publishProgress(after);
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
