package dev.escapement.server.operator;

import dev.escapement.common.NamedThreadFactory;
import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.server.StartException;
import dev.escapement.server.endpoint.EndpointScheduler;
import dev.escapement.server.events.JournalFollower;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.HealthChecks.Check;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Liveness and readiness of an operator. It is ready while the API server answers, the custom resources are installed
 * and all watches are connected. It is not alive only in cases that a restart repairs: never because the API server is
 * unreachable or resources are missing.
 */
final class OperatorHealth implements AutoCloseable {

    /** Shorter than the timeout of a probe. */
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(2);

    /** A watch reconnects every few minutes, which takes up to some seconds. */
    private static final Duration UNREADY_AFTER = Duration.ofSeconds(10);

    /** Longer than the longest backoff between attempts to reconnect a watch. */
    private static final Duration DEAD_AFTER = Duration.ofMinutes(1);

    private final ProblemSources sources;
    private final LongSupplier ticker;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(NamedThreadFactory.daemon("health"));
    private final SustainedCondition sustainedUnready;
    private final SustainedCondition sustainedDead;
    private Optional<PendingQuery> pending = Optional.empty();

    /**
     * Where problems are found; each returns empty if there is none.
     *
     * @param unsynced names a watch whose cache is not filled yet
     * @param disconnected names a watch that is not connected
     * @param missingResources names what must be installed; queries the API server and throws if it does not answer
     */
    record ProblemSources(
            Supplier<Optional<String>> unsynced,
            Supplier<Optional<String>> disconnected,
            Supplier<Optional<String>> missingResources) {}

    private record PendingQuery(CompletableFuture<Optional<String>> result, long startedAt) {}

    /** @param ticker a monotonic clock such as {@link System#nanoTime} */
    OperatorHealth(ProblemSources sources, LongSupplier ticker) {
        this.sources = sources;
        this.ticker = ticker;
        this.sustainedUnready = new SustainedCondition(UNREADY_AFTER, ticker);
        this.sustainedDead = new SustainedCondition(DEAD_AFTER, ticker);
    }

    HealthChecks createHealthChecks(
            ClusterOperator operator,
            JournalFollower follower,
            BooleanSupplier notificationsAlive,
            BooleanSupplier auditAlive,
            Optional<EndpointScheduler> endpoints) {
        List<Check> live = new ArrayList<>(List.of(
                Check.of("workers", operator::isAlive, "its threads have ended"),
                Check.of("journal", follower::isAlive, "its thread has ended"),
                Check.of("notifications", notificationsAlive, "its threads have ended"),
                Check.of("audit", auditAlive, "its threads have ended"),
                new Check("watches", this::checkLiveness)));
        List<Check> ready = new ArrayList<>(
                List.of(new Check("resources", this::checkResources), new Check("watches", this::checkWatches)));
        endpoints.ifPresent(scheduler -> {
            live.add(Check.of("endpoints", scheduler::isAlive, "its threads have ended"));
            ready.add(new Check("database", scheduler::findWriteProblem));
        });
        return new HealthChecks(live, ready, ticker);
    }

    Optional<String> checkWatches() {
        return sources.unsynced()
                .get()
                .or(() -> sustainedUnready
                        .check(sources.disconnected().get())
                        .map(problem -> problem
                                + " for more than %d s: cached data may be stale"
                                        .formatted(UNREADY_AFTER.toSeconds())));
    }

    /** A disconnected watch counts only while the API server answers, so that an outage does not restart the pod. */
    Optional<String> checkLiveness() {
        Optional<String> disconnected =
                sources.disconnected().get().filter(problem -> checkResources().isEmpty());
        return sustainedDead
                .check(disconnected)
                .map(problem -> problem + " for more than a minute, and the API server answers");
    }

    /** Waits at most {@link #QUERY_TIMEOUT}; concurrent callers share one query. */
    Optional<String> checkResources() {
        PendingQuery query = currentQuery();
        try {
            Optional<String> problem = query.result().get(QUERY_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
            clearQuery(query);
            return problem;
        } catch (TimeoutException timeout) {
            Duration since = Duration.ofNanos(ticker.getAsLong() - query.startedAt());
            return unreachable("has not answered for %d s".formatted(since.toSeconds()));
        } catch (ExecutionException failure) {
            clearQuery(query);
            Throwable cause = StartException.rootCause(failure);
            // Without the message: probes are not authenticated.
            return unreachable((cause instanceof KubernetesClientException refused
                            ? OperatorFactory.accessProblem(refused)
                            : Optional.<String>empty())
                    .orElseGet(() ->
                            "does not answer (%s)".formatted(cause.getClass().getSimpleName())));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return unreachable("was not queried: the operator stops");
        }
    }

    private synchronized PendingQuery currentQuery() {
        PendingQuery query = pending.orElseGet(() -> new PendingQuery(
                CompletableFuture.supplyAsync(sources.missingResources(), executor), ticker.getAsLong()));
        pending = Optional.of(query);
        return query;
    }

    private synchronized void clearQuery(PendingQuery answered) {
        pending = pending.filter(query -> !query.equals(answered));
    }

    private static Optional<String> unreachable(String problem) {
        return Optional.of("the API server " + problem + ": cached data may be stale, and no run is started");
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    /** Reports a problem only after consecutive checks have found it for longer than {@code minDuration}. */
    private static final class SustainedCondition {

        private final Duration minDuration;
        private final LongSupplier ticker;
        private Optional<Long> since = Optional.empty();

        SustainedCondition(Duration minDuration, LongSupplier ticker) {
            this.minDuration = minDuration;
            this.ticker = ticker;
        }

        /** Returns the problem if it has lasted long enough. */
        synchronized Optional<String> check(Optional<String> problem) {
            long now = ticker.getAsLong();
            since = problem.map(found -> since.orElse(now));
            return problem.filter(found -> now - since.orElse(now) > minDuration.toNanos());
        }
    }
}
