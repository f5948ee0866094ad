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
import dev.escapement.server.http.RestServer;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.HealthChecks.Check;
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
 * A server at work, put together from top to bottom. What is opened later is closed earlier: first nobody can ask, then
 * what is being carried on is finished, then the lease ends, then the database is closed. Runs go on without it.
 */
final class StandaloneComponents implements AutoCloseable {

    private static final Duration MAX_FAILURE_DELAY = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(StandaloneComponents.class);

    private final CloseStack closeStack;
    private final ActiveRuns activeRuns = new ActiveRuns();
    private final RunnerService runner;
    private final RestServer http;

    /**
     * Starts to work.
     *
     * @param executor processes of this machine if it is empty
     * @param port 0 for any free one
     * @param retired called when other servers have taken over from this one; must not block
     * @throws StartException if something stands in the way; then nothing is left open
     */
    static StandaloneComponents start(
            Settings settings,
            DataFolder data,
            Optional<RunnerFactory> executor,
            MaintenanceIntervals rhythms,
            int port,
            InstantSource clock,
            Runnable retired) {
        CloseStack closing = new CloseStack();
        try {
            return new StandaloneComponents(closing, settings, data, executor, rhythms, port, clock, retired);
        } catch (RuntimeException failure) {
            closing.close();
            throw failure;
        }
    }

    private StandaloneComponents(
            CloseStack closing,
            Settings settings,
            DataFolder data,
            Optional<RunnerFactory> executor,
            MaintenanceIntervals rhythms,
            int port,
            InstantSource clock,
            Runnable retired) {
        this.closeStack = closing;
        ReloadablePolicy policy = new ReloadablePolicy(settings, clock);
        Catalogue catalogue = new Catalogue(StandaloneFactory.openWorkflowFolder(settings));

        // What is kept, and this server's place among those that share it.
        Database database = closing.add(StandaloneFactory.openDatabase(settings, data));
        ServerLease lease = ServerLease.acquire(database, data, settings, clock, retired);
        closing.onClose(database.serverRegistry()::releaseLease);
        PeriodicTasks heartbeat = closing.add(new PeriodicTasks("lease"));
        heartbeat.scheduleFixedDelay(lease.renewalInterval(), "renewing the lease", lease::renew);

        // What carries executions on.
        JournalFeed feed =
                new JournalFeed(database.journal(), database.journal().endPosition());
        ExecutionStore store =
                new StatusObservingStore(database.store(), (before, after) -> onStatusChange(feed, before, after));
        FailureLog failureLog = new FailureLog(LOG, "Reconciling executions");
        WorkQueue<WorkItem> queue = new WorkQueue<>(
                settings.get(SettingsTable.WORKERS),
                MAX_FAILURE_DELAY,
                (work, attempt, failure) ->
                        failureLog.recordFailure(work.execution().toString(), attempt, failure),
                failureLog::recordSuccess);
        Consumer<ExecutionRef> wake = ref -> queue.add(WorkItem.of(ref));
        runner = closing.add(executor.map(other -> other.open(wake, clock))
                .orElseGet(() -> StandaloneFactory.openRunner(
                        settings, data, catalogue, database.serverRegistry(), lease, clock, wake)));
        closing.onClose(() -> queue.close(settings.get(SettingsTable.STOP_GRACE)));
        Engine engine = new Engine(store, runner, policy);
        LedgerCleaner ledger =
                new LedgerCleaner(new StandaloneFactory.DatabaseCandidates(database), store, engine, policy, clock);
        PeriodicTasks sweeper = closing.add(new PeriodicTasks("sweeper"));
        ExecutionProcessor driver = new ExecutionProcessor(
                store,
                engine,
                clock,
                lease::mayStart,
                activeRuns::update,
                () -> sweeper.submit("healing", ledger::releaseOrphans),
                runner::deleteRunData);
        ExecutionTakeover takeover = new ExecutionTakeover(database.serverRegistry(), lease, activeRuns, queue::add);

        // What tells of it.
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ServerMetrics metrics = new ServerMetrics(registry);
        LedgerMetrics ledgerMetrics = new LedgerMetrics(registry, database.queries(), clock, System::nanoTime);
        JournalDispatcher news = new JournalDispatcher(
                feed,
                new JournalMetrics(registry),
                new TransitionLogger(),
                activeRuns,
                driver,
                queue::add,
                run -> sweeper.submit("stopping a lost run", () -> stopRun(run)));
        JournalFollower follower =
                closing.add(new JournalFollower(database.journal(), feed.position(), news::dispatch));

        // Work begins: first what was left, then what comes.
        Set<String> ours = takeover.unfinishedUids();
        int alive = runner.recover(execution -> ours.contains(execution.uid()));
        queue.start(work -> metrics.reconcileTimer().record(() -> driver.apply(work)) == Requeue.IMMEDIATELY
                ? WorkResult.CONFLICT
                : WorkResult.DONE);
        LOG.info("{} runs are going on, {} executions are unfinished", alive, takeover.enqueueUnfinished());
        sweeper.submit("healing", ledger::releaseOrphans);
        sweeper.scheduleThrottled(rhythms.lockRecovery(), "healing", ledger::releaseOrphans);
        sweeper.scheduleThrottled(rhythms.idleEntryCleanup(), "removing idle ledger entries", ledger::removeIdle);
        sweeper.scheduleFixedDelay(lease.renewalInterval(), "taking over", takeover::takeOverExpiredServers);
        sweeper.scheduleThrottled(
                rhythms.unfinishedScan(), "looking at what is unfinished", takeover::enqueueUnfinished);

        // What is called again and again.
        ExecutionService requests = new ExecutionService(store, database.queries(), policy);
        CatalogueWorkflowLookup workflows = new CatalogueWorkflowLookup(catalogue);
        EndpointScheduler scheduling = closing.add(EndpointScheduler.start(
                settings,
                database,
                data.serverId(),
                new WorkflowRemediationRequester(database.queries(), requests, workflows, queue::add, clock),
                sweeper,
                new EndpointMetrics(registry),
                clock));

        // Who may ask, and what they get.
        http = closing.add(StandaloneFactory.startRestServer(
                settings,
                port,
                new RestServer.Dependencies(
                        store,
                        database.queries(),
                        requests,
                        new LocalRunLogs(runner, data.serverId()),
                        feed,
                        workflows,
                        policy,
                        createHealthChecks(
                                database,
                                lease::mayStart,
                                catalogue,
                                livenessChecks(
                                        queue, follower, scheduling, () -> sweeper.isAlive() && heartbeat.isAlive())),
                        () -> {
                            ledgerMetrics.refresh();
                            return registry.scrape();
                        },
                        queue::add,
                        UnaryOperator.identity(),
                        Optional.of(scheduling.routeContext((namespace, name) -> phaseOf(database, namespace, name))),
                        clock)));
        // Closed before the connections: who listens is told that it was all.
        closing.onClose(feed::close);
        metrics.registerStore(
                () -> database.counts().statements(), () -> database.counts().writeTransactions());
        metrics.registerQueueDepth(queue::depth);
        metrics.registerEventClients(http::openStreams);
        metrics.registerLease(() -> lease.mayStart() ? 1 : 0);
        closing.add(StandaloneFactory.watchSettingsFile(settings, policy));
        // It may have changed since it was read.
        policy.reload();
    }

    private static List<Check> livenessChecks(
            WorkQueue<?> queue, JournalFollower follower, EndpointScheduler scheduling, BooleanSupplier timers) {
        return List.of(
                Check.of("workers", queue::isAlive, "its threads have ended"),
                Check.of("journal", follower::isAlive, "its thread has ended"),
                Check.of("endpoints", scheduling::isAlive, "its threads have ended"),
                Check.of("timers", timers, "their threads have ended"));
    }

    private static HealthChecks createHealthChecks(
            Database database, BooleanSupplier mayStart, Catalogue catalogue, List<Check> live) {
        return new HealthChecks(
                live,
                List.of(
                        Check.of("database", () -> ping(database), "does not answer"),
                        Check.of("lease", mayStart, "could not be renewed in time: nothing is started"),
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

    int port() {
        return http.port();
    }

    /** Ends the runs of a server that others have taken over from: they count as lost. */
    void stopAllRuns() {
        activeRuns.all().forEach(this::stopRun);
    }

    private void stopRun(RunRef run) {
        try {
            runner.stop(run, "a server that took over");
        } catch (RuntimeException failure) {
            LOG.warn("run {} cannot be stopped now; the next start ends it", run.name(), failure);
        }
    }

    @Override
    public void close() {
        closeStack.close();
    }
}
