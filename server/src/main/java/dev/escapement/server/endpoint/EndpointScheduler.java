package dev.escapement.server.endpoint;

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
import dev.escapement.server.BuildInfo;
import dev.escapement.server.CoalescingTask;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.config.EndpointSettings;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.http.endpoint.EndpointRouteContext;
import dev.escapement.server.metrics.EndpointMetrics;
import dev.escapement.storage.Database;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Scheduled endpoints at work: what is kept of them, the worker that calls them, and what happens on timers. Every call
 * has a lease of its own, so that a server which others have taken over from does no harm here.
 */
public final class EndpointScheduler implements AutoCloseable {

    /** For what a worker on another server left behind; what is planned is known without looking. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(30);

    private static final Duration REMEDIATION_INTERVAL = Duration.ofSeconds(30);
    private static final Duration CLEANUP_INTERVAL = Duration.ofMinutes(1);

    /** So many that nobody ever draws the same twice; a name of Kubernetes made of one is legal. */
    private static final int ID_BITS = 80;

    private final Database database;
    private final EndpointService endpoints;
    private final EndpointWorker worker;
    private final PeriodicTasks timer;
    private final Settings settings;

    private EndpointScheduler(
            Database database,
            EndpointService endpoints,
            EndpointWorker worker,
            PeriodicTasks timer,
            Settings settings) {
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
    public static EndpointScheduler start(
            Settings settings,
            Database database,
            String server,
            RemediationRequester gate,
            PeriodicTasks sweeper,
            EndpointMetrics metrics,
            InstantSource clock) {
        EndpointStore store = SqlEndpointStore.open(database, settings.get(EndpointSettings.KEEP_RUNS));
        EndpointPlanner planning = new EndpointPlanner(RunPlanner.withDefaultJitter());
        HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                dispatchLimits(settings), settings.get(EndpointSettings.ALLOW), DnsResolver.system(), clock);
        // Apart from the other timers: who waits for help should not wait for somebody's tidying up.
        PeriodicTasks timer = new PeriodicTasks("remediations");
        RemediationDispatcher remedies = new RemediationDispatcher(store, metrics.countReplies(gate));
        EndpointWorker worker = EndpointWorker.start(
                store,
                dispatcher,
                planning,
                workerSettings(settings, server),
                new EndpointRunListener(
                        metrics,
                        new EndpointRunLogger(),
                        new CoalescingTask(timer, "asking for remediations", remedies::requestDue)));
        metrics.registerWorker(worker::inFlightCount, worker::unrecordedCount);
        metrics.registerBacklog(store::backlog, System::nanoTime);
        timer.scheduleThrottled(REMEDIATION_INTERVAL, "asking for remediations", remedies::requestDue);
        EndpointRunCleaner old = new EndpointRunCleaner(store, settings.get(EndpointSettings.KEEP_RUNS_FOR));
        sweeper.scheduleThrottled(CLEANUP_INTERVAL, "removing old runs of endpoints", old::removeExpired);
        SecureRandom chance = new SecureRandom();
        return new EndpointScheduler(
                database, new EndpointService(store, planning, () -> newId(chance)), worker, timer, settings);
    }

    static DispatchLimits dispatchLimits(Settings settings) {
        DispatchLimits usual = DispatchLimits.defaults(BuildInfo.version());
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

    private static EndpointWorkerSettings workerSettings(Settings settings, String server) {
        return new EndpointWorkerSettings(
                server,
                settings.get(EndpointSettings.CONCURRENCY),
                settings.get(EndpointSettings.PER_HOST),
                settings.get(EndpointSettings.LEASE_MARGIN),
                POLL_INTERVAL);
    }

    private static String newId(SecureRandom chance) {
        // One bit more, always set: all have the same length.
        return new BigInteger(ID_BITS, chance).setBit(ID_BITS).toString(Character.MAX_RADIX);
    }

    /** What answers are made of. */
    public EndpointRouteContext routeContext(EndpointRouteContext.PhaseLookup phases) {
        return new EndpointRouteContext(
                endpoints,
                new EndpointDocumentReader(new EndpointCallRules(settings.get(EndpointSettings.ALLOW))),
                phases);
    }

    /** Whether its threads can work. */
    public boolean isAlive() {
        return worker.isAlive() && timer.isAlive();
    }

    /** Whether what is kept can be reached; throws if not. */
    public boolean pingDatabase() {
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
