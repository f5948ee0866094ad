package dev.escapement.kubernetes.event;

import dev.escapement.common.BoundedMap;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.engine.journal.Transition;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the Events of transitions in the background, each once, and those of one correlation id in order: if one
 * cannot be created, later ones wait for it. Callers never wait for the API server: Events that do not fit into the
 * queue go to the {@link EventRetryBuffer}.
 */
public final class EventPublisher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);
    private static final int WORKER_COUNT = 8;
    private static final int MAX_QUEUED_PER_WORKER = 5_000;
    private static final int MAX_REMEMBERED_EVENTS = 20_000;
    private static final Duration PUBLISH_TIMEOUT = Duration.ofSeconds(5);

    private final EventCreator creator;
    private final EventJournal journal;
    private final String reportingInstance;
    private final List<ThreadPoolExecutor> workers;
    private final Map<String, CompletableFuture<Boolean>> publications = new BoundedMap<>(MAX_REMEMBERED_EVENTS);

    private final InstantSource clock;
    private final EventRetryBuffer retryBuffer;
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicLong queued = new AtomicLong();
    private volatile boolean closed;

    /**
     * Starts the worker threads.
     *
     * @param journal knows which Events exist already
     * @param instance the reporting instance of the Events
     */
    public EventPublisher(KubernetesClient client, EventJournal journal, String instance, InstantSource clock) {
        this(client, journal, instance, clock, EventPublisher::runLater);
    }

    static void runLater(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS).execute(task);
    }

    /** @param scheduler runs a task after a delay */
    EventPublisher(
            KubernetesClient client,
            EventJournal journal,
            String instance,
            InstantSource clock,
            BiConsumer<Duration, Runnable> scheduler) {
        this.creator = new EventCreator(client);
        this.journal = journal;
        this.reportingInstance = instance;
        this.clock = clock;
        this.retryBuffer = new EventRetryBuffer(this::queuedCount, scheduler);
        var threads = NamedThreadFactory.daemon("events");
        this.workers = Stream.generate(() -> new ThreadPoolExecutor(
                        1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_QUEUED_PER_WORKER), threads))
                .limit(WORKER_COUNT)
                .toList();
    }

    /** Sets what runs, with a delay, after an Event could not be created: a replay of the stored state. */
    public void onLoss(Runnable replayAll) {
        retryBuffer.onLoss(replayAll);
    }

    /** Publishes a transition unless its Event exists already. Returns at once. */
    public void publish(Transition transition) {
        var unused = publishAsync(transition);
    }

    /** Completes with whether the Event exists, created here or by another replica. */
    private CompletableFuture<Boolean> publishAsync(Transition transition) {
        String key = EventMapper.eventKey(transition);
        if (journal.contains(transition)) {
            retryBuffer.remove(key);
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> publication = new CompletableFuture<>();
        // The retry may come before the failed publication is removed below.
        Runnable retry = () -> {
            forgetPublication(key, publication);
            if (EventMapper.isWithinLifetime(transition.at(), clock.instant())) {
                publish(transition);
            } else {
                retryBuffer.remove(key);
            }
        };
        // Queued under the lock: who finds this publication may queue a later transition behind it.
        synchronized (publications) {
            CompletableFuture<Boolean> earlier = publications.putIfAbsent(key, publication);
            if (earlier != null) {
                return earlier;
            }
            // The Event is built when its turn comes: a queued transition is much smaller.
            enqueue(
                    transition.correlationId(),
                    key,
                    () -> EventMapper.toEvent(transition, reportingInstance),
                    Optional.of(retry),
                    published -> {
                        if (!published) {
                            forgetPublication(key, publication);
                        }
                        publication.complete(published);
                    });
        }
        return publication;
    }

    /** Removes a failed publication, so that the transition can be published again. */
    private void forgetPublication(String key, CompletableFuture<Boolean> publication) {
        synchronized (publications) {
            publications.remove(key, publication);
        }
    }

    /**
     * Publishes a transition and waits up to 5 s until its Event exists, because the state that implies the transition
     * is about to be overwritten. After the timeout only this process can still publish it, and a warning is logged.
     */
    public void publishAndWait(Transition transition) {
        if (EventMapper.isWithinLifetime(transition.at(), clock.instant())
                && !publishAsync(transition)
                        .copy()
                        .completeOnTimeout(false, PUBLISH_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
                        .join()) {
            String key = EventMapper.eventKey(transition);
            LOG.warn("Event not created yet, lost if this process ends before the retry: {}", key);
        }
    }

    /** Returns whether the Event of a transition is known to exist. */
    public boolean isPublished(Transition transition) {
        return journal.contains(transition);
    }

    public void publishPolicyRefused(ConfigMap map, String problem) {
        String message = problem + "; the previous policy stays in effect";
        publishWarning(map, EventMapper.POLICY_REFUSED, map.getMetadata().getResourceVersion(), message);
    }

    /** Publishes why an execution makes no progress, at most once per Event lifetime. */
    public void publishHeldUp(WorkflowExecutionResource execution, String problem) {
        String message = "the API server rejects the next step, will retry: " + problem;
        publishWarning(execution, EventMapper.HELD_UP, EventMapper.HELD_UP, message);
    }

    /** Publishes why the annotations of a person on a ledger entry have no effect, once per request. */
    public void publishClearanceRefused(RemediationTargetResource entry, String problem) {
        publishWarning(entry, EventMapper.CLEARANCE_REFUSED, entry.getMetadata().getResourceVersion(), problem);
    }

    /** No retry later: while the problem lasts the caller publishes again, and afterwards the Event is of no use. */
    private void publishWarning(HasMetadata object, String reason, String subject, String message) {
        Event event = EventMapper.warning(object, reason, subject, message, clock.instant(), reportingInstance);
        enqueue(
                object.getMetadata().getUid(),
                event.getMetadata().getName(),
                () -> event,
                Optional.empty(),
                published -> {});
    }

    /**
     * @param retry publishes it again; empty if that is of no use
     * @param whenDone receives whether the Event exists
     */
    private void enqueue(
            String orderKey, String key, Supplier<Event> event, Optional<Runnable> retry, Consumer<Boolean> whenDone) {
        unfinished.incrementAndGet();
        long number = queued.incrementAndGet();
        try {
            workers.get(Math.floorMod(orderKey.hashCode(), WORKER_COUNT)).execute(() -> {
                boolean behind = retry.isPresent() && retryBuffer.addBehindEarlier(key, orderKey, number, retry.get());
                Optional<Throwable> failure = behind ? Optional.empty() : create(event);
                if (!behind && failure.isEmpty()) {
                    retryBuffer.recordSuccess();
                    retryBuffer.remove(key);
                }
                failure.ifPresent(problem -> recordFailure(key, orderKey, number, problem, retry));
                unfinished.decrementAndGet();
                whenDone.accept(!behind && failure.isEmpty());
            });
        } catch (RejectedExecutionException e) {
            String problem = "the queue is full: queued=" + MAX_QUEUED_PER_WORKER;
            recordFailure(key, orderKey, number, new IllegalStateException(problem, e), retry);
            unfinished.decrementAndGet();
            whenDone.accept(false);
        }
    }

    /** An unexpected exception is a failure too: a transition that is neither published nor retried would be lost. */
    private Optional<Throwable> create(Supplier<Event> event) {
        if (closed) {
            // An earlier one may have been given up.
            return Optional.of(new IllegalStateException("this process stops"));
        }
        try {
            return creator.create(event.get(), () -> closed);
        } catch (RuntimeException unexpected) {
            return Optional.of(unexpected);
        }
    }

    private void recordFailure(String key, String orderKey, long number, Throwable problem, Optional<Runnable> retry) {
        if (closed) {
            return;
        }
        retry.ifPresentOrElse(
                again -> retryBuffer.add(key, orderKey, number, problem, again),
                () -> retryBuffer.recordLoss(key, problem));
    }

    /** Waits until the Events queued so far exist and the journal has them; returns false after the timeout. */
    public boolean flush(Duration timeout) {
        try {
            CompletableFuture.allOf(workers.stream()
                            .map(worker -> CompletableFuture.runAsync(() -> {}, worker))
                            .toArray(CompletableFuture[]::new))
                    .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return journal.awaitVersion(creator.newestVersion(), timeout);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            return false;
        }
    }

    /** Returns how many attempts to create an Event were given up; most are created by a later retry. */
    public long lostCount() {
        return retryBuffer.lostCount();
    }

    /** Returns whether all transitions so far have an Event, as far as this process knows. */
    public boolean isComplete() {
        return unfinished.get() == 0 && retryBuffer.isEmpty();
    }

    /** Returns how many transitions wait for a worker. */
    public int queuedCount() {
        return workers.stream().mapToInt(worker -> worker.getQueue().size()).sum();
    }

    @Override
    public void close() {
        closed = true;
        workers.forEach(ThreadPoolExecutor::shutdownNow);
    }
}
