package dev.escapement.server.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One subscriber of the feed. Buffers only the latest progress of each of a limited number of executions. */
public final class FeedSubscription implements AutoCloseable {

    private static final int MAX_PENDING = 200;

    private final Consumer<FeedSubscription> closeListener;
    private final Map<String, FeedEvent> pendingProgress = new LinkedHashMap<>();
    private boolean appended = true;
    private boolean terminated;

    FeedSubscription(Consumer<FeedSubscription> closeListener) {
        this.closeListener = closeListener;
    }

    synchronized void notifyAppended() {
        appended = true;
        notifyAll();
    }

    synchronized void offerProgress(String uid, FeedEvent event) {
        pendingProgress.remove(uid);
        if (pendingProgress.size() < MAX_PENDING) {
            pendingProgress.put(uid, event);
        }
        notifyAll();
    }

    synchronized void terminate() {
        terminated = true;
        notifyAll();
    }

    /** Waits for an event, at most for the timeout. Returns false if the feed was closed. */
    public synchronized boolean await(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!appended && !terminated && pendingProgress.isEmpty()) {
            long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        appended = false;
        return !terminated;
    }

    /** Returns the progress events since the last call. */
    public synchronized List<FeedEvent> drainProgress() {
        List<FeedEvent> events = new ArrayList<>(pendingProgress.values());
        pendingProgress.clear();
        return events;
    }

    @Override
    public void close() {
        closeListener.accept(this);
    }
}
