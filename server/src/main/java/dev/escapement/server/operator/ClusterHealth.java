package dev.escapement.server.operator;

import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.server.DaemonThreads;
import dev.escapement.server.endpoint.EndpointScheduler;
import dev.escapement.server.events.JournalFollower;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.HealthChecks.Check;
import dev.escapement.server.standalone.StandaloneFactory;
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
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How an operator is. It is ready while the API server answers, has our resources, and keeps its watches going: else
 * what it shows may be old. It has to be started again only for what a new start mends: an API server that is away, or
 * resources that nobody has installed, are not.
 */
final class ClusterHealth implements AutoCloseable {

    /** Less than a probe waits. */
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(2);

    /** A watch begins anew every few minutes, which takes a moment. */
    private static final Duration UNREADY_AFTER = Duration.ofSeconds(10);

    /** Longer than the longest wait before a watch is tried again. */
    private static final Duration DEAD_AFTER = Duration.ofMinutes(1);

    private final ProblemSources sources;
    private final LongSupplier ticker;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(DaemonThreads.named("health"));
    private final SustainedCondition sustainedUnready;
    private final SustainedCondition sustainedDead;
    private Optional<PendingQuery> pending = Optional.empty();

    /**
     * What it looks at; each is empty if all is well.
     *
     * @param unsynced what is not known yet
     * @param disconnected what is known only as it was
     * @param missingResources what has to be installed; asks the API server, and throws if that does not answer
     */
    record ProblemSources(
            Supplier<Optional<String>> unsynced,
            Supplier<Optional<String>> disconnected,
            Supplier<Optional<String>> missingResources) {}

    private record PendingQuery(CompletableFuture<Optional<String>> result, long startedAt) {}

    /** @param nanos a steady clock such as {@link System#nanoTime} */
    ClusterHealth(ProblemSources views, LongSupplier nanos) {
        this.sources = views;
        this.ticker = nanos;
        this.sustainedUnready = new SustainedCondition(UNREADY_AFTER, nanos);
        this.sustainedDead = new SustainedCondition(DEAD_AFTER, nanos);
    }

    HealthChecks createHealthChecks(
            ClusterOperator operator, JournalFollower follower, Optional<EndpointScheduler> scheduling) {
        List<Check> live = new ArrayList<>(List.of(
                Check.of("workers", operator::isAlive, "its threads have ended"),
                Check.of("journal", follower::isAlive, "its thread has ended"),
                new Check("watches", this::checkLiveness)));
        List<Check> ready = new ArrayList<>(
                List.of(new Check("resources", this::checkResources), new Check("watches", this::checkWatches)));
        scheduling.ifPresent(endpoints -> {
            live.add(Check.of("endpoints", endpoints::isAlive, "its threads have ended"));
            ready.add(Check.of("database", endpoints::pingDatabase, "does not answer"));
        });
        return new HealthChecks(live, ready, ticker);
    }

    Optional<String> checkWatches() {
        return sources.unsynced()
                .get()
                .or(() -> sustainedUnready
                        .check(sources.disconnected().get())
                        .map(what -> what
                                + " for more than %d s: what is shown may be old"
                                        .formatted(UNREADY_AFTER.toSeconds())));
    }

    /** The API server is asked only while a watch is away, so that a pod does not end because of it. */
    Optional<String> checkLiveness() {
        Optional<String> away =
                sources.disconnected().get().filter(what -> checkResources().isEmpty());
        return sustainedDead.check(away).map(what -> what + " for more than a minute, and the API server answers");
    }

    /** Nobody waits for anybody but the API server, and not longer for it because others wait too. */
    Optional<String> checkResources() {
        PendingQuery question = currentQuery();
        try {
            Optional<String> problem = question.result().get(QUERY_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
            clearQuery(question);
            return problem;
        } catch (TimeoutException silence) {
            Duration since = Duration.ofNanos(ticker.getAsLong() - question.startedAt());
            return unreachable("has not answered for %d s".formatted(since.toSeconds()));
        } catch (ExecutionException failure) {
            clearQuery(question);
            // No details: whoever probes need not be allowed to see them.
            return unreachable("does not answer (%s)"
                    .formatted(StandaloneFactory.rootCause(failure).getClass().getSimpleName()));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return unreachable("was not asked: the operator stops");
        }
    }

    /** One at a time: whoever asks while there is no answer gets the same one. */
    private synchronized PendingQuery currentQuery() {
        PendingQuery question = pending.orElseGet(() -> new PendingQuery(
                CompletableFuture.supplyAsync(sources.missingResources(), executor), ticker.getAsLong()));
        pending = Optional.of(question);
        return question;
    }

    private synchronized void clearQuery(PendingQuery answered) {
        pending = pending.filter(question -> !question.equals(answered));
    }

    private static Optional<String> unreachable(String how) {
        return Optional.of("the API server " + how + ": what is shown may be old, and nothing is started");
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
