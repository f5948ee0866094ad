package dev.escapement.notifications.worker;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.backoff.Backoff;
import dev.escapement.common.FailureLog;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.notifications.delivery.ChannelSender;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.DeliverySetup;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.store.ClaimedNotification;
import dev.escapement.notifications.store.NotificationStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims notifications that are due and sends them, several at a time and a few at a time to one channel. After a crash
 * the lease of a notification expires; the attempt counts as failed, and any worker makes the next one. Waits for the
 * next due time or a wake-up.
 */
public final class DeliveryWorker implements AutoCloseable {

    /** Finds notifications of other servers whose lease expired. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryWorker.class);
    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(200))
            .max(Duration.ofSeconds(10))
            .build();

    private final NotificationStore store;
    private final Supplier<DeliverySetup> setup;
    private final ChannelSender sender;
    private final DeliveryListener listener;
    private final int concurrency;
    private final Semaphore free;
    /** By channel, how many more notifications may be sent to it now: one that hangs must not take all senders. */
    private final Map<String, Semaphore> channelSlots = new ConcurrentHashMap<>();

    private final int maxPerChannel;

    private final Semaphore wakeups = new Semaphore(0);
    private final ExecutorService senders;
    private final Thread thread;
    private final FailureLog failureLog = new FailureLog(LOG, "Claiming notifications");
    private final FailureLog recordLog = new FailureLog(LOG, "Recording deliveries");
    private volatile boolean closed;
    private volatile boolean stopping;

    /**
     * Creates a worker; {@link #start} starts it.
     *
     * @param setup asked for each notification, so that a change takes effect with the next one
     * @param concurrency how many notifications are sent at the same time
     * @param maxPerChannel how many of them to the same channel, from 1
     */
    public DeliveryWorker(
            NotificationStore store,
            Supplier<DeliverySetup> setup,
            int concurrency,
            int maxPerChannel,
            DeliveryListener listener) {
        this.store = store;
        this.setup = setup;
        this.sender = new ChannelSender(setup);
        this.maxPerChannel = maxPerChannel;
        this.listener = listener;
        this.concurrency = concurrency;
        this.free = new Semaphore(concurrency);
        this.senders = Executors.newFixedThreadPool(concurrency, NamedThreadFactory.daemon("notification-sender"));
        this.thread = NamedThreadFactory.daemonThread("notification-worker", this::run);
    }

    public void start() {
        thread.start();
    }

    /** Claims soon. Does not block. */
    public void wakeUp() {
        wakeups.release();
    }

    public boolean isAlive() {
        return thread.isAlive();
    }

    private void run() {
        int failures = 0;
        while (!closed) {
            try {
                claimAndSend();
                failures = 0;
                failureLog.recordSuccess();
                awaitWork();
            } catch (InterruptedException ended) {
                return;
            } catch (RuntimeException failure) {
                failures++;
                failureLog.recordFailure(failure);
                if (!awaitRetry(failures)) {
                    return;
                }
            }
        }
    }

    private boolean awaitRetry(int failures) {
        try {
            var unused = wakeups.tryAcquire(RETRY_BACKOFF.delayNanos(failures), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException ended) {
            return false;
        }
    }

    private void awaitWork() throws InterruptedException {
        // With no free sender, only the end of a delivery can be of interest.
        Duration wait = free.availablePermits() == 0
                ? MAX_WAIT
                : store.untilNextDue(busyChannels())
                        .filter(due -> due.compareTo(MAX_WAIT) < 0)
                        .orElse(MAX_WAIT);
        if (wakeups.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
            wakeups.drainPermits();
        }
    }

    /** Claims one by one, because each may make a channel busy. */
    private void claimAndSend() {
        while (!closed && free.tryAcquire()) {
            List<ClaimedNotification> claims = List.of();
            try {
                claims =
                        store.claim(1, UUID.randomUUID().toString(), setup.get().lease(), busyChannels());
            } finally {
                if (claims.isEmpty()) {
                    free.release();
                }
            }
            if (claims.isEmpty()) {
                return;
            }
            start(claims.get(0));
        }
    }

    private Set<String> busyChannels() {
        return channelSlots.entrySet().stream()
                .filter(slots -> slots.getValue().availablePermits() == 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private void start(ClaimedNotification claim) {
        // There are enough: only this thread acquires them, and no busy channel was claimed.
        slotsOf(claim).forEach(Semaphore::acquireUninterruptibly);
        try {
            senders.execute(() -> deliver(claim));
        } catch (RejectedExecutionException stopping) {
            // Its lease expires, and another worker sends it.
            release(claim);
        }
    }

    private List<Semaphore> slotsOf(ClaimedNotification claim) {
        return openChannels(claim.request()).stream()
                .map(channel -> channelSlots.computeIfAbsent(channel, name -> new Semaphore(maxPerChannel)))
                .toList();
    }

    private static List<String> openChannels(NotificationRequest request) {
        return NotificationDocuments.status(request)
                .openChannels(NotificationDocuments.spec(request).channels());
    }

    private void release(ClaimedNotification claim) {
        slotsOf(claim).forEach(Semaphore::release);
        free.release();
    }

    private void deliver(ClaimedNotification claim) {
        try {
            sendAndRecord(claim);
            recordLog.recordSuccess();
        } catch (RuntimeException failure) {
            // The lease expires, and the notification is sent again.
            recordLog.recordFailure(failure);
        } finally {
            release(claim);
            wakeUp();
        }
    }

    /** Sends a claimed notification to its open channels and records the results. */
    void sendAndRecord(ClaimedNotification claim) {
        NotificationRequest request = claim.request();
        Map<String, DeliveryResult> results = new HashMap<>();
        for (String channel : openChannels(request)) {
            DeliveryResult result = sender.send(channel, request);
            if (stopping && !result.sent()) {
                // Interrupted by the shutdown. Nothing is recorded: the lease expires, and it is sent again.
                return;
            }
            results.put(channel, result);
            listener.onAttempt(channel, result.sent());
        }
        store.record(claim, results).ifPresent(status -> {
            if (status.phase().isTerminal()) {
                listener.onFinished(status.phase());
            } else {
                listener.onRetry();
            }
        });
    }

    /** Stops claiming and waits for deliveries in progress; those that take longer are repeated later. */
    public void close(Duration grace) {
        closed = true;
        thread.interrupt();
        senders.shutdown();
        try {
            if (!senders.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn(
                        "Deliveries are still in progress after {} ms and will be repeated: count={}",
                        grace.toMillis(),
                        concurrency - free.availablePermits());
                stopping = true;
                senders.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
