package dev.escapement.server;

import dev.escapement.engine.Engine;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.server.events.Feed;
import dev.escapement.server.http.Health;
import dev.escapement.server.http.Health.Check;
import dev.escapement.server.http.HttpServer;
import dev.escapement.server.metrics.EndpointMetrics;
import dev.escapement.server.metrics.JournalLog;
import dev.escapement.server.metrics.JournalMetrics;
import dev.escapement.server.metrics.LedgerMetrics;
import dev.escapement.server.metrics.ServerMetrics;
import dev.escapement.server.settings.LivePolicy;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsTable;
import dev.escapement.server.worker.Driver;
import dev.escapement.server.worker.GoingRuns;
import dev.escapement.server.worker.JournalFollower;
import dev.escapement.server.worker.Lease;
import dev.escapement.server.worker.LedgerSweep;
import dev.escapement.server.worker.Starting;
import dev.escapement.server.worker.Sweeper;
import dev.escapement.server.worker.Takeover;
import dev.escapement.server.worker.Troubles;
import dev.escapement.server.worker.WatchedStore;
import dev.escapement.server.worker.Work;
import dev.escapement.server.worker.WorkQueue;
import dev.escapement.storage.Database;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
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
final class Running implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Running.class);

    private final Closing closing;
    private final GoingRuns going = new GoingRuns();
    private final RunnerService runner;
    private final HttpServer http;

    /**
     * Starts to work.
     *
     * @param executor processes of this machine if it is empty
     * @param port 0 for any free one
     * @param retired called when other servers have taken over from this one; must not block
     * @throws StartException if something stands in the way; then nothing is left open
     */
    static Running start(
            Settings settings,
            DataFolder data,
            Optional<Executor> executor,
            Rhythms rhythms,
            int port,
            InstantSource clock,
            Runnable retired) {
        Closing closing = new Closing();
        try {
            return new Running(closing, settings, data, executor, rhythms, port, clock, retired);
        } catch (RuntimeException failure) {
            closing.close();
            throw failure;
        }
    }

    private Running(
            Closing closing,
            Settings settings,
            DataFolder data,
            Optional<Executor> executor,
            Rhythms rhythms,
            int port,
            InstantSource clock,
            Runnable retired) {
        this.closing = closing;
        LivePolicy policy = new LivePolicy(settings, clock);
        Catalogue catalogue = new Catalogue(Opening.workflows(settings));

        // What is kept, and this server's place among those that share it.
        Database database = closing.add(Opening.database(settings, data));
        Membership membership = closing.add(Membership.join(database, data, settings, going));
        Lease lease = new Lease(membership, clock, System::nanoTime, retired);
        lease.renew();
        Sweeper heartbeat = closing.add(new Sweeper("lease"));
        heartbeat.steadily(membership.rhythm(), "renewing the lease", lease::renew);
        boolean alone = settings.get(SettingsTable.DATABASE).isEmpty();
        Starting starting = new Starting(alone, lease, membership.margin());

        // What carries executions on.
        Feed feed = new Feed(database.journal(), database.journal().endPosition());
        ExecutionStore store = new WatchedStore(database.store(), (before, after) -> changed(feed, before, after));
        WorkQueue queue = new WorkQueue(settings.get(SettingsTable.WORKERS), new Troubles("carrying executions on"));
        Consumer<ExecutionRef> wake = ref -> queue.add(Work.on(ref));
        runner = closing.add(executor.map(other -> other.open(wake, clock))
                .orElseGet(() ->
                        Opening.runner(settings, data, catalogue, database.serverRegistry(), starting, clock, wake)));
        closing.then(() -> queue.close(settings.get(SettingsTable.STOP_GRACE)));
        Engine engine = new Engine(store, runner, policy);
        LedgerSweep ledger = new LedgerSweep(new Opening.Candidates(database), store, engine, policy, clock);
        Sweeper sweeper = closing.add(new Sweeper("sweeper"));
        Driver driver = new Driver(
                store,
                engine,
                clock,
                starting::isAllowed,
                going::note,
                () -> sweeper.soon("healing", ledger::heal),
                runner::deleteRunData);
        Takeover takeover = new Takeover(membership, lease, queue::add);

        // What tells of it.
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ServerMetrics metrics = new ServerMetrics(registry);
        LedgerMetrics ledgerMetrics = new LedgerMetrics(registry, database.queries(), clock, System::nanoTime);
        News news = new News(
                feed,
                new JournalMetrics(registry),
                new JournalLog(),
                going,
                driver,
                queue::add,
                run -> sweeper.soon("stopping a lost run", () -> stop(run)));
        JournalFollower follower = closing.add(new JournalFollower(database.journal(), feed.position(), news::tell));

        // Work begins: first what was left, then what comes.
        Set<String> ours = membership.uidsOfUnfinished();
        int alive = runner.recover(execution -> ours.contains(execution.uid()));
        queue.start(work -> metrics.advance().record(() -> driver.apply(work)));
        LOG.info("{} runs are going on, {} executions are unfinished", alive, takeover.resume());
        sweeper.soon("healing", ledger::heal);
        sweeper.every(rhythms.heal(), "healing", ledger::heal);
        sweeper.every(rhythms.sweep(), "removing idle ledger entries", ledger::removeIdle);
        sweeper.steadily(membership.rhythm(), "taking over", takeover::takeOver);
        sweeper.every(rhythms.resume(), "looking at what is unfinished", takeover::resume);

        // What is called again and again.
        ExecutionService requests = new ExecutionService(store, database.queries(), policy);
        CatalogueDocuments workflows = new CatalogueDocuments(catalogue);
        Scheduling scheduling = closing.add(Scheduling.start(
                settings,
                database,
                data.serverId(),
                new RemediationGate(database.queries(), requests, workflows, queue::add, clock),
                sweeper,
                new EndpointMetrics(registry),
                clock));

        // Who may ask, and what they get.
        http = closing.add(Opening.http(
                settings,
                port,
                new HttpServer.Parts(
                        store,
                        database.queries(),
                        requests,
                        new OwnLogs(runner, data.serverId()),
                        feed,
                        workflows,
                        policy,
                        health(
                                database,
                                starting::isAllowed,
                                catalogue,
                                live(queue, follower, scheduling, () -> sweeper.isAlive() && heartbeat.isAlive())),
                        () -> {
                            ledgerMetrics.refresh();
                            return registry.scrape();
                        },
                        queue::add,
                        UnaryOperator.identity(),
                        Optional.of(scheduling.parts((namespace, name) -> phase(database, namespace, name))),
                        clock)));
        // Closed before the connections: who listens is told that it was all.
        closing.then(feed::close);
        metrics.store(
                () -> database.counts().statements(), () -> database.counts().writeTransactions());
        metrics.queue(queue::depth);
        metrics.listeners(http::streams);
        metrics.lease(() -> starting.isAllowed() ? 1 : 0);
        closing.add(Opening.watch(settings, policy));
        // It may have changed since it was read.
        policy.reload();
    }

    private static List<Check> live(
            WorkQueue queue, JournalFollower follower, Scheduling scheduling, BooleanSupplier timers) {
        return List.of(
                Check.of("workers", queue::isAlive, "its threads have ended"),
                Check.of("journal", follower::isAlive, "its thread has ended"),
                Check.of("endpoints", scheduling::isAlive, "its threads have ended"),
                Check.of("timers", timers, "their threads have ended"));
    }

    private static Health health(Database database, BooleanSupplier mayStart, Catalogue catalogue, List<Check> live) {
        return new Health(
                live,
                List.of(
                        Check.of("database", () -> answers(database), "does not answer"),
                        Check.of("lease", mayStart, "could not be renewed in time: nothing is started"),
                        Check.of("catalogue", () -> Files.isReadable(catalogue.folder()), "folder cannot be read")),
                System::nanoTime);
    }

    private static Optional<String> phase(Database database, String namespace, String name) {
        return database.queries()
                .findExecution(namespace, name)
                .map(seen -> seen.value().status().phase());
    }

    private static boolean answers(Database database) {
        database.ping();
        return true;
    }

    private void changed(Feed feed, Execution before, Execution after) {
        going.note(after);
        if (before.status() instanceof ExecutionStatus.Running && after.status() instanceof ExecutionStatus.Running) {
            feed.progressed(after);
        }
    }

    int port() {
        return http.port();
    }

    /** Ends the runs of a server that others have taken over from: they count as lost. */
    void abandon() {
        going.all().forEach(this::stop);
    }

    private void stop(RunRef run) {
        try {
            runner.stop(run, "a server that took over");
        } catch (RuntimeException failure) {
            LOG.warn("run {} cannot be stopped now; the next start ends it", run.name(), failure);
        }
    }

    @Override
    public void close() {
        closing.close();
    }
}
