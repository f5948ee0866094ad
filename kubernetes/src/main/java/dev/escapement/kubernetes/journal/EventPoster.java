package dev.escapement.kubernetes.journal;

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
public final class EventPoster implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventPoster.class);
    private static final int LANES = 8;
    private static final int WAITING = 5_000;
    private static final int REMEMBERED = 20_000;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int ATTEMPTS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String UNTOLD = "not told, and lost if this process ends before it can be";
    private static final String TERMINATING = "NamespaceTerminating";
    private static final Backoff TROUBLE = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(10))
            .build();

    private final KubernetesClient client;
    private final EventJournal journal;
    private final String instance;
    private final List<ThreadPoolExecutor> lanes = new ArrayList<>();
    private final Map<String, CompletableFuture<Boolean>> posted = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CompletableFuture<Boolean>> eldest) {
            return size() > REMEMBERED;
        }
    };
    private final InstantSource clock;
    private final Losses losses;
    private final AtomicLong newest = new AtomicLong();
    private volatile boolean closed;

    /**
     * A poster.
     *
     * @param journal knows what was told before
     * @param instance who tells it
     */
    public EventPoster(KubernetesClient client, EventJournal journal, String instance, InstantSource clock) {
        this(
                client,
                journal,
                instance,
                clock,
                (wait, work) -> CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS)
                        .execute(work));
    }

    /** @param later does something after a while */
    EventPoster(
            KubernetesClient client,
            EventJournal journal,
            String instance,
            InstantSource clock,
            BiConsumer<Duration, Runnable> later) {
        this.client = client;
        this.journal = journal;
        this.instance = instance;
        this.clock = clock;
        this.losses = new Losses(this::waiting, later);
        for (int lane = 0; lane < LANES; lane++) {
            String name = "events-" + (lane + 1);
            lanes.add(new ThreadPoolExecutor(
                    1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING), task -> thread(name, task)));
        }
    }

    private static Thread thread(String name, Runnable task) {
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
        losses.onLoss(again);
    }

    /** Tells it, unless it was told. Returns at once. */
    public void post(Transition told) {
        var unused = posting(told);
    }

    /** Whether it was told in the end, by whomever. */
    private CompletableFuture<Boolean> posting(Transition told) {
        String name = EventCodec.name(told);
        if (journal.has(name)) {
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        synchronized (posted) {
            CompletableFuture<Boolean> before = posted.putIfAbsent(name, done);
            if (before != null) {
                return before;
            }
        }
        String order = told.execution().map(ref -> ref.uid()).orElse(told.target());
        // The loss may be looked at before it is forgotten here that it was posted.
        Runnable retell = () -> {
            forget(name, done);
            if (canBeTold(told)) {
                post(told);
            }
        };
        // Written only when it is its turn: what waits is much smaller so.
        boolean taken =
                post(order, name, () -> ended(name, done, create(EventCodec.write(told, instance), retell)), retell);
        if (!taken) {
            ended(name, done, false);
        }
        return done;
    }

    private void ended(String name, CompletableFuture<Boolean> done, boolean told) {
        if (!told) {
            forget(name, done);
        }
        done.complete(told);
    }

    /** Nobody was told: whoever comes to it once more may try again. */
    private void forget(String name, CompletableFuture<Boolean> done) {
        synchronized (posted) {
            posted.remove(name, done);
        }
    }

    /** What is older the API server has forgotten, so nobody knows whether it was told. */
    private boolean canBeTold(Transition told) {
        return told.at().plus(Teller.LIFETIME).isAfter(clock.instant());
    }

    /**
     * Tells it, and waits a while until it is told: afterwards nothing that is stored will say that it happened. If it
     * cannot be told in that time, only our memory has it from then on, and the log says so.
     */
    public void insist(Transition told) {
        if (canBeTold(told)
                && !posting(told)
                        .copy()
                        .completeOnTimeout(false, PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
                        .join()) {
            LOG.warn("{}: {}", UNTOLD, EventCodec.name(told));
        }
    }

    /** Whether its Event is there for certain. */
    public boolean isTold(Transition told) {
        return journal.has(EventCodec.name(told));
    }

    /** Tells whoever looks at a ConfigMap that it cannot be used. */
    public void refused(ConfigMap map, String problem) {
        tell(map.getMetadata().getUid(), EventCodec.refusal(map, problem, clock.instant(), instance));
    }

    /** Tells whoever looks at an execution why it does not get on; in an hour once. */
    public void heldUp(WorkflowExecution execution, String problem) {
        tell(execution.getMetadata().getUid(), EventCodec.heldUp(execution, problem, clock.instant(), instance));
    }

    private void tell(String order, Event event) {
        // If it stays so, it will be said again; if not, it is of no use later.
        Runnable never = () -> {};
        post(order, event.getMetadata().getName(), () -> create(event, never), never);
    }

    /** Returns whether there was room for it. */
    private boolean post(String order, String name, Runnable work, Runnable retell) {
        try {
            lanes.get(Math.floorMod(order.hashCode(), LANES)).execute(work);
            return true;
        } catch (RejectedExecutionException full) {
            if (!closed) {
                losses.lost(name, new IllegalStateException(WAITING + " wait already", full), retell);
            }
            return false;
        }
    }

    /** Returns whether somebody has told it. */
    private boolean create(Event event, Runnable retell) {
        for (int attempt = 1; !closed; attempt++) {
            try {
                told(client.resource(event).create());
                return true;
            } catch (KubernetesClientException failure) {
                if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                    return true;
                } else if (isUnheard(failure)) {
                    return false;
                } else if (isDefinite(failure.getCode()) || attempt == ATTEMPTS) {
                    losses.lost(event.getMetadata().getName(), failure, retell);
                    return false;
                }
                LOG.debug("not told yet, trying again: {}", failure.getMessage());
                LockSupport.parkNanos(TROUBLE.delayNanos(attempt));
            }
        }
        return false;
    }

    private void told(Event event) {
        losses.told();
        // Of what is no transition the journal never hears: nobody must wait for that.
        if (EventCodec.tellsTransition(event)) {
            newest.accumulateAndGet(Long.parseUnsignedLong(event.getMetadata().getResourceVersion()), Math::max);
        }
    }

    /** The namespace is gone or on its way out, and all who could look there with it. */
    private static boolean isUnheard(KubernetesClientException failure) {
        return failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                || Optional.ofNullable(failure.getStatus())
                        .map(Status::getDetails)
                        .map(StatusDetails::getCauses)
                        .filter(causes -> causes.stream().anyMatch(cause -> TERMINATING.equals(cause.getReason())))
                        .isPresent();
    }

    /** The API server does not let us. */
    private static boolean isDefinite(int code) {
        return code >= HttpURLConnection.HTTP_BAD_REQUEST
                && code < HttpURLConnection.HTTP_INTERNAL_ERROR
                && code != TOO_MANY_REQUESTS
                && code != HttpURLConnection.HTTP_CLIENT_TIMEOUT;
    }

    /** Waits until what was posted before is told, and the journal has it. Returns whether it was, in time. */
    public boolean flush(Duration patience) {
        try {
            CompletableFuture.allOf(lanes.stream()
                            .map(lane -> CompletableFuture.runAsync(() -> {}, lane))
                            .toArray(CompletableFuture[]::new))
                    .get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return journal.await(newest.get(), patience);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (java.util.concurrent.ExecutionException | TimeoutException | RejectedExecutionException late) {
            return false;
        }
    }

    /** How often something was not told. What follows from what is stored is told later. */
    public long lost() {
        return losses.count();
    }

    /** How much waits to be told. */
    public int waiting() {
        return lanes.stream().mapToInt(lane -> lane.getQueue().size()).sum();
    }

    @Override
    public void close() {
        closed = true;
        lanes.forEach(ThreadPoolExecutor::shutdownNow);
    }
}
