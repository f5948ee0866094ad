package dev.escapement.server;

import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.server.http.Health;
import dev.escapement.server.http.Health.Check;
import dev.escapement.server.worker.JournalFollower;
import dev.escapement.server.worker.Threads;
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
    private static final Duration ANSWER = Duration.ofSeconds(2);

    /** A watch begins anew every few minutes, which takes a moment. */
    private static final Duration UNREADY = Duration.ofSeconds(10);

    /** Longer than the longest wait before a watch is tried again. */
    private static final Duration DEAD = Duration.ofMinutes(1);

    private final Views views;
    private final LongSupplier nanos;
    private final ExecutorService asking = Executors.newSingleThreadExecutor(Threads.named("health"));
    private final Lasting unready;
    private final Lasting dead;
    private Optional<Question> open = Optional.empty();

    /**
     * What it looks at; each is empty if all is well.
     *
     * @param unsynced what is not known yet
     * @param cutOff what is known only as it was
     * @param missing what has to be installed; asks the API server, and throws if that does not answer
     */
    record Views(
            Supplier<Optional<String>> unsynced,
            Supplier<Optional<String>> cutOff,
            Supplier<Optional<String>> missing) {}

    private record Question(CompletableFuture<Optional<String>> answer, long askedAt) {}

    /** @param nanos a steady clock such as {@link System#nanoTime} */
    ClusterHealth(Views views, LongSupplier nanos) {
        this.views = views;
        this.nanos = nanos;
        this.unready = new Lasting(UNREADY, nanos);
        this.dead = new Lasting(DEAD, nanos);
    }

    Health health(ClusterOperator operator, JournalFollower follower, Optional<Scheduling> scheduling) {
        List<Check> live = new ArrayList<>(List.of(
                Check.of("workers", operator::isAlive, "its threads have ended"),
                Check.of("journal", follower::isAlive, "its thread has ended"),
                new Check("watches", this::dead)));
        List<Check> ready = new ArrayList<>(
                List.of(new Check("resources", this::resources), new Check("watches", this::unwatched)));
        scheduling.ifPresent(endpoints -> {
            live.add(Check.of("endpoints", endpoints::isAlive, "its threads have ended"));
            ready.add(Check.of("database", endpoints::answers, "does not answer"));
        });
        return new Health(live, ready, nanos);
    }

    Optional<String> unwatched() {
        return views.unsynced()
                .get()
                .or(() -> unready.of(views.cutOff().get())
                        .map(what ->
                                what + " for more than %d s: what is shown may be old".formatted(UNREADY.toSeconds())));
    }

    /** The API server is asked only while a watch is away, so that a pod does not end because of it. */
    Optional<String> dead() {
        Optional<String> away = views.cutOff().get().filter(what -> resources().isEmpty());
        return dead.of(away).map(what -> what + " for more than a minute, and the API server answers");
    }

    /** Nobody waits for anybody but the API server, and not longer for it because others wait too. */
    Optional<String> resources() {
        Question question = question();
        try {
            Optional<String> problem = question.answer().get(ANSWER.toNanos(), TimeUnit.NANOSECONDS);
            heard(question);
            return problem;
        } catch (TimeoutException silence) {
            Duration since = Duration.ofNanos(nanos.getAsLong() - question.askedAt());
            return away("has not answered for %d s".formatted(since.toSeconds()));
        } catch (ExecutionException failure) {
            heard(question);
            // No details: whoever probes need not be allowed to see them.
            return away("does not answer (%s)"
                    .formatted(Opening.root(failure).getClass().getSimpleName()));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return away("was not asked: the operator stops");
        }
    }

    /** One at a time: whoever asks while there is no answer gets the same one. */
    private synchronized Question question() {
        Question question = open.orElseGet(
                () -> new Question(CompletableFuture.supplyAsync(views.missing(), asking), nanos.getAsLong()));
        open = Optional.of(question);
        return question;
    }

    private synchronized void heard(Question answered) {
        open = open.filter(question -> !question.equals(answered));
    }

    private static Optional<String> away(String how) {
        return Optional.of("the API server " + how + ": what is shown may be old, and nothing is started");
    }

    @Override
    public void close() {
        asking.shutdownNow();
    }
}
