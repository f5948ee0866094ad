package dev.escapement.server.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Somebody who waits for news. What is kept for them is bounded: the latest progress of each of some executions. */
public final class FeedSubscription implements AutoCloseable {

    private static final int MAX_PENDING = 200;

    private final Consumer<FeedSubscription> closeListener;
    private final Map<String, FeedEvent> pendingProgress = new LinkedHashMap<>();
    private boolean appended = true;
    private boolean terminated;

    FeedSubscription(Consumer<FeedSubscription> leave) {
        this.closeListener = leave;
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

    /** Waits for news, at most so long. Returns whether to go on. */
    public synchronized boolean await(Duration longest) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
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

    /** The progress since the last call. */
    public synchronized List<FeedEvent> drainProgress() {
        List<FeedEvent> told = new ArrayList<>(pendingProgress.values());
        pendingProgress.clear();
        return told;
    }

    @Override
    public void close() {
        closeListener.accept(this);
    }
}
