package dev.escapement.server.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.http.DispatchLimits;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.schedule.SetBackClockRepair;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerSettings;
import dev.escapement.endpoints.worker.RemediationDispatcher;
import dev.escapement.endpoints.worker.RemediationDispatcher.RemediationRequester;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.server.BuildInfo;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.http.endpoint.EndpointRouteContext;
import dev.escapement.server.metrics.EndpointMetrics;
import dev.escapement.storage.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Runs the worker that calls scheduled endpoints, and its timers. Each call has its own lease in the database, so that
 * a server whose lease was taken over can go on calling endpoints without harm.
 *
 * @param ownPort the port of this server, which endpoints may not call by default
 */
public record EndpointScheduler(
        Database database,
        EndpointService endpoints,
        EndpointWorker worker,
        PeriodicTasks timer,
        Settings settings,
        AtomicInteger ownPort)
        implements AutoCloseable {

    /** Finds calls of other servers whose lease expired; the worker knows its own due times. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(30);

    private static final String REQUEST_REMEDIATIONS = "Requesting remediations";
    private static final Duration REMEDIATION_INTERVAL = Duration.ofSeconds(30);
    private static final Duration CLOCK_CHECK_INTERVAL = Duration.ofSeconds(10);
    private static final Duration CLEANUP_INTERVAL = Duration.ofMinutes(1);
    private static final int CLEANUP_BATCH_SIZE = 500;
    private static final int MAX_CLEANUP_BATCHES = 200;

    /** Enough to make ids unique; an id is a valid part of a Kubernetes name. */
    private static final int ID_BITS = 80;

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
            MeterRegistry registry,
            InstantSource clock) {
        return start(settings, database, serverId, requester, maintenance, registry, clock, CLOCK_CHECK_INTERVAL);
    }

    /** @param clockCheckInterval usually {@link #CLOCK_CHECK_INTERVAL} */
    static EndpointScheduler start(
            Settings settings,
            Database database,
            String serverId,
            RemediationRequester requester,
            PeriodicTasks maintenance,
            MeterRegistry registry,
            InstantSource clock,
            Duration clockCheckInterval) {
        EndpointMetrics metrics = new EndpointMetrics(registry);
        EndpointStore store = SqlEndpointStore.open(database, settings.get(SettingsTable.ENDPOINT_KEEP_RUNS));
        EndpointPlanner planner = new EndpointPlanner(
                RunPlanner.withDefaultJitter().withMinRest(settings.get(SettingsTable.ENDPOINT_MIN_REST)));
        AtomicInteger ownPort = new AtomicInteger(settings.get(SettingsTable.PORT));
        HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                dispatchLimits(settings), allowList(settings, ownPort), DnsResolver.system(), clock);
        // Its own thread, so that remediations do not wait for maintenance.
        PeriodicTasks timer = new PeriodicTasks("remediations");
        RemediationDispatcher remediations = new RemediationDispatcher(store, metrics.countReplies(requester));
        var listener = new EndpointRunListener(metrics, timer.coalesce(REQUEST_REMEDIATIONS, remediations::requestDue));
        EndpointWorker worker =
                new EndpointWorker(store, dispatcher, planner, workerSettings(settings, serverId), listener);
        metrics.registerWorker(worker::inFlightCount, worker::unrecordedCount);
        metrics.registerBacklog(store::backlog, System::nanoTime);
        timer.scheduleThrottled(REMEDIATION_INTERVAL, REQUEST_REMEDIATIONS, remediations::requestDue);
        Duration retention = settings.get(SettingsTable.ENDPOINT_KEEP_RUNS_FOR);
        maintenance.scheduleThrottled(
                CLEANUP_INTERVAL, "Removing old runs of endpoints", () -> removeExpired(store, retention));
        SetBackClockRepair clockRepair = new SetBackClockRepair(store, planner);
        maintenance.scheduleThrottled(
                clockCheckInterval, "Replanning endpoints after a change of the clock", clockRepair::repairIfSetBack);
        SecureRandom random = new SecureRandom();
        // The additional bit gives all ids the same length.
        Supplier<String> newId =
                () -> new BigInteger(ID_BITS, random).setBit(ID_BITS).toString(Character.MAX_RADIX);
        EndpointService service = new EndpointService(store, planner, newId);
        return new EndpointScheduler(database, service, worker, timer, settings, ownPort);
    }

    private static AllowList allowList(Settings settings, AtomicInteger ownPort) {
        return settings.get(SettingsTable.ENDPOINT_ALLOW).withOwnPort(ownPort::get);
    }

    /** Denies endpoints the port that the HTTP server got, if it was chosen by the system. */
    public void denyOwnPort(int port) {
        ownPort.set(port);
    }

    /** Removes old runs in small batches, so that other writers do not wait long, and not too many in one call. */
    static void removeExpired(EndpointStore store, Duration retention) {
        Instant before = store.clock().instant().minus(retention);
        int removed = CLEANUP_BATCH_SIZE;
        for (int batch = 0; batch < MAX_CLEANUP_BATCHES && removed == CLEANUP_BATCH_SIZE; batch++) {
            removed = store.prune(before, CLEANUP_BATCH_SIZE);
        }
    }

    static DispatchLimits dispatchLimits(Settings settings) {
        DispatchLimits defaults = DispatchLimits.defaults(BuildInfo.version());
        return new DispatchLimits(
                settings.get(SettingsTable.ENDPOINT_PER_HOST),
                defaults.maxQueuedPerHost(),
                defaults.keepAlive(),
                settings.get(SettingsTable.ENDPOINT_MAX_RESPONSE),
                settings.get(SettingsTable.ENDPOINT_EXCERPT),
                settings.get(SettingsTable.ENDPOINT_CONCURRENCY),
                defaults.userAgent());
    }

    private static EndpointWorkerSettings workerSettings(Settings settings, String serverId) {
        return new EndpointWorkerSettings(
                serverId,
                settings.get(SettingsTable.ENDPOINT_CONCURRENCY),
                settings.get(SettingsTable.ENDPOINT_PER_HOST),
                settings.get(SettingsTable.ENDPOINT_LEASE_MARGIN),
                POLL_INTERVAL);
    }

    /** Parameters as of {@link EndpointRouteContext}. */
    public EndpointRouteContext routeContext(ExecutionQueries queries, boolean onCluster) {
        return new EndpointRouteContext(endpoints, allowList(settings, ownPort), queries, onCluster);
    }

    /** Whether all of its threads run. */
    public boolean isAlive() {
        return worker.isAlive() && timer.isAlive();
    }

    /** As {@link Database#findWriteProblem}. */
    public Optional<String> findWriteProblem() {
        return database.findWriteProblem();
    }

    /** Stops claiming and waits for calls in progress; a call that takes too long is repeated by another server. */
    @Override
    public void close() {
        worker.close(settings.get(SettingsTable.STOP_GRACE));
        timer.close();
    }

    /**
     * Passes events of the endpoint worker to metrics, log and remediation. Of runs, the first failure and the recovery
     * are logged at level info, all others at debug; of the response only the error is logged, which contains no
     * secrets.
     *
     * @param remediationTrigger requests the remediations that are due; must not block or throw
     */
    private record EndpointRunListener(EndpointMetrics metrics, Runnable remediationTrigger)
            implements EndpointWorkerListener {

        private static final Logger LOG = LoggerFactory.getLogger("escapement.runs");
        private static final int MAX_VALUE_LENGTH = 500;

        @Override
        public void onClaimed(int count) {
            metrics.recordClaims(count);
        }

        @Override
        public void onRunRecorded(FinishedRun run) {
            metrics.recordRun(run);
            log(run);
        }

        private static void log(FinishedRun run) {
            boolean failed = !run.callResult().isSuccess();
            boolean changed = failed ? run.failuresBefore() == 0 : run.failuresBefore() > 0;
            if (!changed && !LOG.isDebugEnabled()) {
                // There may be thousands of runs a second, on the worker's thread.
                return;
            }
            LoggingEventBuilder line = (changed ? LOG.atInfo() : LOG.atDebug())
                    .addKeyValue("endpoint", SafeText.sanitize(run.endpointName(), MAX_VALUE_LENGTH))
                    .addKeyValue("run", run.id());
            if (failed) {
                String failure = run.callResult().failure().map(Enum::name).orElse("-");
                String error = SafeText.sanitize(run.callResult().error(), MAX_VALUE_LENGTH);
                line.addKeyValue("failure", failure)
                        .addKeyValue("failures", run.failuresAfter())
                        .log("Endpoint run failed: {}", error);
            } else {
                line.log(
                        changed ? "Endpoint recovered after {} failures" : "Endpoint run succeeded after {} failures",
                        run.failuresBefore());
            }
        }

        @Override
        public void onLeaseLost(int count) {
            metrics.recordLostLeases(count);
        }

        @Override
        public void onHostThrottled(String host) {
            metrics.recordThrottled();
        }

        @Override
        public void onRemediationDue() {
            remediationTrigger.run();
        }
    }
}
