package dev.escapement.kubernetes.event;

import dev.escapement.backoff.Backoff;
import dev.escapement.engine.journal.Transition;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what happened, soon and once, without holding anybody up. The Events of one execution are told in order; what
 * does not fit into the queue is left for later, because carrying executions on is worth more than telling of it.
 */
public final class EventPublisher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);
    private static final int WORKER_COUNT = 8;
    private static final int MAX_QUEUED_PER_WORKER = 5_000;
    private static final int MAX_REMEMBERED_EVENTS = 20_000;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int MAX_ATTEMPTS = 20;
    private static final Duration PUBLISH_TIMEOUT = Duration.ofSeconds(5);
    private static final String UNPUBLISHED_WARNING = "not told, and lost if this process ends before it can be";
    private static final String NAMESPACE_TERMINATING = "NamespaceTerminating";
    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(10))
            .build();

    private final KubernetesClient client;
    private final EventJournal journal;
    private final String reportingInstance;
    private final List<ThreadPoolExecutor> workers = new ArrayList<>();
    private final Map<String, CompletableFuture<Boolean>> publications = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CompletableFuture<Boolean>> eldest) {
            return size() > MAX_REMEMBERED_EVENTS;
        }
    };
    private final InstantSource clock;
    private final EventRetryBuffer retryBuffer;
    private final AtomicLong newestVersion = new AtomicLong();
    private volatile boolean closed;

    /**
     * A poster.
     *
     * @param journal knows what was told before
     * @param instance who tells it
     */
    public EventPublisher(KubernetesClient client, EventJournal journal, String instance, InstantSource clock) {
        this(
                client,
                journal,
                instance,
                clock,
                (wait, work) -> CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS)
                        .execute(work));
    }

    /** @param later does something after a while */
    EventPublisher(
            KubernetesClient client,
            EventJournal journal,
            String instance,
            InstantSource clock,
            BiConsumer<Duration, Runnable> later) {
        this.client = client;
        this.journal = journal;
        this.reportingInstance = instance;
        this.clock = clock;
        this.retryBuffer = new EventRetryBuffer(this::queuedCount, later);
        for (int lane = 0; lane < WORKER_COUNT; lane++) {
            String name = "events-" + (lane + 1);
            workers.add(new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(MAX_QUEUED_PER_WORKER),
                    task -> newDaemonThread(name, task)));
        }
    }

    private static Thread newDaemonThread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * What to do some time after something could not be told.
     *
     * @param again posts everything that follows from what is stored
     */
    public void onLoss(Runnable again) {
        retryBuffer.onLoss(again);
    }

    /** Tells it, unless it was told. Returns at once. */
    public void publish(Transition told) {
        var unused = publishAsync(told);
    }

    /** Whether it was told in the end, by whomever. */
    private CompletableFuture<Boolean> publishAsync(Transition told) {
        String name = EventCodec.eventName(told);
        if (journal.contains(name)) {
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        synchronized (publications) {
            CompletableFuture<Boolean> before = publications.putIfAbsent(name, done);
            if (before != null) {
                return before;
            }
        }
        String order = told.execution().map(ref -> ref.uid()).orElse(told.target());
        // The loss may be looked at before it is forgotten here that it was posted.
        Runnable retell = () -> {
            forgetPublication(name, done);
            if (isWithinEventLifetime(told)) {
                publish(told);
            }
        };
        // Written only when it is its turn: what waits is much smaller so.
        boolean taken = publish(
                order,
                name,
                () -> completePublication(
                        name, done, createWithRetries(EventCodec.toEvent(told, reportingInstance), retell)),
                retell);
        if (!taken) {
            completePublication(name, done, false);
        }
        return done;
    }

    private void completePublication(String name, CompletableFuture<Boolean> done, boolean told) {
        if (!told) {
            forgetPublication(name, done);
        }
        done.complete(told);
    }

    /** Nobody was told: whoever comes to it once more may try again. */
    private void forgetPublication(String name, CompletableFuture<Boolean> done) {
        synchronized (publications) {
            publications.remove(name, done);
        }
    }

    /** What is older the API server has forgotten, so nobody knows whether it was told. */
    private boolean isWithinEventLifetime(Transition told) {
        return told.at().plus(EventReplayer.EVENT_LIFETIME).isAfter(clock.instant());
    }

    /**
     * Tells it, and waits a while until it is told: afterwards nothing that is stored will say that it happened. If it
     * cannot be told in that time, only our memory has it from then on, and the log says so.
     */
    public void publishAndWait(Transition told) {
        if (isWithinEventLifetime(told)
                && !publishAsync(told)
                        .copy()
                        .completeOnTimeout(false, PUBLISH_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
                        .join()) {
            LOG.warn("{}: {}", UNPUBLISHED_WARNING, EventCodec.eventName(told));
        }
    }

    /** Whether its Event is there for certain. */
    public boolean isPublished(Transition told) {
        return journal.contains(EventCodec.eventName(told));
    }

    /** Tells whoever looks at a ConfigMap that it cannot be used. */
    public void publishPolicyRefused(ConfigMap map, String problem) {
        publishBestEffort(
                map.getMetadata().getUid(),
                EventCodec.policyRefusedEvent(map, problem, clock.instant(), reportingInstance));
    }

    /** Tells whoever looks at an execution why it does not get on; in an hour once. */
    public void publishHeldUp(WorkflowExecution execution, String problem) {
        publishBestEffort(
                execution.getMetadata().getUid(),
                EventCodec.heldUpEvent(execution, problem, clock.instant(), reportingInstance));
    }

    private void publishBestEffort(String order, Event event) {
        // If it stays so, it will be said again; if not, it is of no use later.
        Runnable never = () -> {};
        publish(order, event.getMetadata().getName(), () -> createWithRetries(event, never), never);
    }

    /** Returns whether there was room for it. */
    private boolean publish(String order, String name, Runnable work, Runnable retell) {
        try {
            workers.get(Math.floorMod(order.hashCode(), WORKER_COUNT)).execute(work);
            return true;
        } catch (RejectedExecutionException full) {
            if (!closed) {
                retryBuffer.add(name, new IllegalStateException(MAX_QUEUED_PER_WORKER + " wait already", full), retell);
            }
            return false;
        }
    }

    /** Returns whether somebody has told it. */
    private boolean createWithRetries(Event event, Runnable retell) {
        for (int attempt = 1; !closed; attempt++) {
            try {
                recordCreated(client.resource(event).create());
                return true;
            } catch (KubernetesClientException failure) {
                if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                    return true;
                } else if (isNamespaceGone(failure)) {
                    return false;
                } else if (isPermanent(failure.getCode()) || attempt == MAX_ATTEMPTS) {
                    retryBuffer.add(event.getMetadata().getName(), failure, retell);
                    return false;
                }
                LOG.debug("not told yet, trying again: {}", failure.getMessage());
                LockSupport.parkNanos(RETRY_BACKOFF.delayNanos(attempt));
            }
        }
        return false;
    }

    private void recordCreated(Event event) {
        retryBuffer.recordSuccess();
        // Of what is no transition the journal never hears: nobody must wait for that.
        if (EventCodec.hasTransition(event)) {
            newestVersion.accumulateAndGet(
                    Long.parseUnsignedLong(event.getMetadata().getResourceVersion()), Math::max);
        }
    }

    /** The namespace is gone or on its way out, and all who could look there with it. */
    private static boolean isNamespaceGone(KubernetesClientException failure) {
        return failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                || Optional.ofNullable(failure.getStatus())
                        .map(Status::getDetails)
                        .map(StatusDetails::getCauses)
                        .filter(causes ->
                                causes.stream().anyMatch(cause -> NAMESPACE_TERMINATING.equals(cause.getReason())))
                        .isPresent();
    }

    /** The API server does not let us. */
    private static boolean isPermanent(int code) {
        return code >= HttpURLConnection.HTTP_BAD_REQUEST
                && code < HttpURLConnection.HTTP_INTERNAL_ERROR
                && code != TOO_MANY_REQUESTS
                && code != HttpURLConnection.HTTP_CLIENT_TIMEOUT;
    }

    /** Waits until what was posted before is told, and the journal has it. Returns whether it was, in time. */
    public boolean flush(Duration patience) {
        try {
            CompletableFuture.allOf(workers.stream()
                            .map(lane -> CompletableFuture.runAsync(() -> {}, lane))
                            .toArray(CompletableFuture[]::new))
                    .get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return journal.awaitVersion(newestVersion.get(), patience);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (java.util.concurrent.ExecutionException | TimeoutException | RejectedExecutionException late) {
            return false;
        }
    }

    /** How often something was not told. What follows from what is stored is told later. */
    public long lostCount() {
        return retryBuffer.lostCount();
    }

    /** How much waits to be told. */
    public int queuedCount() {
        return workers.stream().mapToInt(lane -> lane.getQueue().size()).sum();
    }

    @Override
    public void close() {
        closed = true;
        workers.forEach(ThreadPoolExecutor::shutdownNow);
    }
}
