package dev.escapement.server.endpoint;

import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.http.DispatchLimits;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerSettings;
import dev.escapement.endpoints.worker.RemediationDispatcher;
import dev.escapement.endpoints.worker.RemediationDispatcher.RemediationRequester;
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
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Runs the worker that calls scheduled endpoints, and its timers. Each call has its own lease in the database, so that
 * a server whose lease was taken over can go on calling endpoints without harm.
 */
public final class EndpointScheduler implements AutoCloseable {

    /** Finds calls of other servers whose lease expired; the worker knows its own due times. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(30);

    private static final String REQUEST_REMEDIATIONS = "Requesting remediations";
    private static final Duration REMEDIATION_INTERVAL = Duration.ofSeconds(30);
    private static final Duration CLEANUP_INTERVAL = Duration.ofMinutes(1);

    /** Enough to make ids unique; an id is a valid part of a Kubernetes name. */
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
     * Starts the worker and the timers.
     *
     * @param serverId names the worker
     * @param maintenance timer that also removes old runs
     */
    public static EndpointScheduler start(
            Settings settings,
            Database database,
            String serverId,
            RemediationRequester requester,
            PeriodicTasks maintenance,
            EndpointMetrics metrics,
            InstantSource clock) {
        EndpointStore store = SqlEndpointStore.open(database, settings.get(EndpointSettings.KEEP_RUNS));
        EndpointPlanner planner = new EndpointPlanner(RunPlanner.withDefaultJitter());
        HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                dispatchLimits(settings), settings.get(EndpointSettings.ALLOW), DnsResolver.system(), clock);
        // Its own thread, so that remediations do not wait for maintenance.
        PeriodicTasks timer = new PeriodicTasks("remediations");
        RemediationDispatcher remediations = new RemediationDispatcher(store, metrics.countReplies(requester));
        EndpointWorker worker = new EndpointWorker(
                store,
                dispatcher,
                planner,
                workerSettings(settings, serverId),
                new EndpointRunListener(
                        metrics, new CoalescingTask(timer, REQUEST_REMEDIATIONS, remediations::requestDue)));
        metrics.registerWorker(worker::inFlightCount, worker::unrecordedCount);
        metrics.registerBacklog(store::backlog, System::nanoTime);
        timer.scheduleThrottled(REMEDIATION_INTERVAL, REQUEST_REMEDIATIONS, remediations::requestDue);
        EndpointRunCleaner cleaner = new EndpointRunCleaner(store, settings.get(EndpointSettings.KEEP_RUNS_FOR));
        maintenance.scheduleThrottled(CLEANUP_INTERVAL, "Removing old runs of endpoints", cleaner::removeExpired);
        SecureRandom random = new SecureRandom();
        return new EndpointScheduler(
                database, new EndpointService(store, planner, () -> newId(random)), worker, timer, settings);
    }

    static DispatchLimits dispatchLimits(Settings settings) {
        DispatchLimits defaults = DispatchLimits.defaults(BuildInfo.version());
        return new DispatchLimits(
                settings.get(EndpointSettings.PER_HOST),
                defaults.maxQueuedPerHost(),
                defaults.keepAlive(),
                settings.get(EndpointSettings.MAX_RESPONSE),
                settings.get(EndpointSettings.EXCERPT),
                settings.get(EndpointSettings.CONCURRENCY),
                defaults.userAgent());
    }

    private static EndpointWorkerSettings workerSettings(Settings settings, String serverId) {
        return new EndpointWorkerSettings(
                serverId,
                settings.get(EndpointSettings.CONCURRENCY),
                settings.get(EndpointSettings.PER_HOST),
                settings.get(EndpointSettings.LEASE_MARGIN),
                POLL_INTERVAL);
    }

    private static String newId(SecureRandom random) {
        // The additional bit gives all ids the same length.
        return new BigInteger(ID_BITS, random).setBit(ID_BITS).toString(Character.MAX_RADIX);
    }

    /** Parameter as of {@link EndpointRouteContext}. */
    public EndpointRouteContext routeContext(BiFunction<String, String, Optional<String>> phases) {
        return new EndpointRouteContext(endpoints, settings.get(EndpointSettings.ALLOW), phases);
    }

    /** Whether all of its threads run. */
    public boolean isAlive() {
        return worker.isAlive() && timer.isAlive();
    }

    /** Returns true if the database answers; throws otherwise. */
    public boolean pingDatabase() {
        database.ping();
        return true;
    }

    /** Stops claiming and waits for calls in progress; a call that takes too long is repeated by another server. */
    @Override
    public void close() {
        worker.close(settings.get(SettingsTable.STOP_GRACE));
        timer.close();
    }
}
