package dev.escapement.server;

import dev.escapement.endpoints.guard.DnsResolver;
import dev.escapement.endpoints.http.DispatchLimits;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.endpoints.model.EndpointDocumentReader;
import dev.escapement.endpoints.remediation.RemediationDispatcher;
import dev.escapement.endpoints.remediation.RemediationRequester;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.sql.SqlEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker;
import dev.escapement.endpoints.worker.EndpointWorkerSettings;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.server.http.EndpointParts;
import dev.escapement.server.metrics.EndpointMetrics;
import dev.escapement.server.metrics.RunLog;
import dev.escapement.server.settings.EndpointSettings;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsTable;
import dev.escapement.server.worker.RunSweep;
import dev.escapement.server.worker.Sweeper;
import dev.escapement.storage.Database;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Scheduled endpoints at work: what is kept of them, the worker that calls them, and what happens on timers. Every call
 * has a lease of its own, so that a server which others have taken over from does no harm here.
 */
final class Scheduling implements AutoCloseable {

    /** For what a worker on another server left behind; what is planned is known without looking. */
    private static final Duration LOOK = Duration.ofSeconds(30);

    private static final Duration ASK = Duration.ofSeconds(30);
    private static final Duration TIDY = Duration.ofMinutes(1);

    /** So many that nobody ever draws the same twice; a name of Kubernetes made of one is legal. */
    private static final int ID_BITS = 80;

    private final Database database;
    private final EndpointService endpoints;
    private final EndpointWorker worker;
    private final Sweeper timer;
    private final Settings settings;

    private Scheduling(
            Database database, EndpointService endpoints, EndpointWorker worker, Sweeper timer, Settings settings) {
        this.database = database;
        this.endpoints = endpoints;
        this.worker = worker;
        this.timer = timer;
        this.settings = settings;
    }

    /**
     * Starts to work.
     *
     * @param server names the worker
     * @param gate where remediations are asked for
     * @param sweeper removes old runs now and then
     */
    static Scheduling start(
            Settings settings,
            Database database,
            String server,
            RemediationRequester gate,
            Sweeper sweeper,
            EndpointMetrics metrics,
            InstantSource clock) {
        EndpointStore store = SqlEndpointStore.open(database, settings.get(EndpointSettings.KEEP_RUNS));
        EndpointPlanner planning = new EndpointPlanner(RunPlanner.withDefaultJitter());
        HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                limits(settings), settings.get(EndpointSettings.ALLOW), DnsResolver.system(), clock);
        // Apart from the other timers: who waits for help should not wait for somebody's tidying up.
        Sweeper timer = new Sweeper("remediations");
        RemediationDispatcher remedies = new RemediationDispatcher(store, metrics.counting(gate));
        EndpointWorker worker = EndpointWorker.start(
                store,
                dispatcher,
                planning,
                worker(settings, server),
                new RunNews(metrics, new RunLog(), new Soon(timer, "asking for remediations", remedies::requestDue)));
        metrics.worker(worker::inFlightCount, worker::unrecordedCount);
        metrics.backlog(store::backlog, System::nanoTime);
        timer.every(ASK, "asking for remediations", remedies::requestDue);
        RunSweep old = new RunSweep(store, settings.get(EndpointSettings.KEEP_RUNS_FOR));
        sweeper.every(TIDY, "removing old runs of endpoints", old::remove);
        SecureRandom chance = new SecureRandom();
        return new Scheduling(
                database, new EndpointService(store, planning, () -> id(chance)), worker, timer, settings);
    }

    static DispatchLimits limits(Settings settings) {
        DispatchLimits usual = DispatchLimits.defaults(Build.version());
        return new DispatchLimits(
                settings.get(EndpointSettings.PER_HOST),
                usual.maxQueuedPerHost(),
                usual.connectTimeout(),
                usual.keepAlive(),
                settings.get(EndpointSettings.MAX_RESPONSE),
                usual.maxHeaderBytes(),
                settings.get(EndpointSettings.EXCERPT),
                usual.threads(),
                settings.get(EndpointSettings.CONCURRENCY),
                usual.userAgent());
    }

    private static EndpointWorkerSettings worker(Settings settings, String server) {
        return new EndpointWorkerSettings(
                server,
                settings.get(EndpointSettings.CONCURRENCY),
                settings.get(EndpointSettings.PER_HOST),
                settings.get(EndpointSettings.LEASE_MARGIN),
                LOOK);
    }

    private static String id(SecureRandom chance) {
        // One bit more, always set: all have the same length.
        return new BigInteger(ID_BITS, chance).setBit(ID_BITS).toString(Character.MAX_RADIX);
    }

    /** What answers are made of. */
    EndpointParts parts(EndpointParts.Phases phases) {
        return new EndpointParts(
                endpoints, new EndpointDocumentReader(new CallRules(settings.get(EndpointSettings.ALLOW))), phases);
    }

    /** Whether its threads can work. */
    boolean isAlive() {
        return worker.isAlive() && timer.isAlive();
    }

    /** Whether what is kept can be reached; throws if not. */
    boolean answers() {
        database.ping();
        return true;
    }

    /** Claims nothing more, and lets calls that are under way end; what takes too long is made again by the next. */
    @Override
    public void close() {
        worker.close(settings.get(SettingsTable.STOP_GRACE));
        timer.close();
    }
}
