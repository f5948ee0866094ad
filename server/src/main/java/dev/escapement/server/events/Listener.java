package dev.escapement.server.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Somebody who waits for news. What is kept for them is bounded: the latest progress of each of some executions. */
public final class Listener implements AutoCloseable {

    private static final int MOST = 200;

    private final Consumer<Listener> leave;
    private final Map<String, Event> progress = new LinkedHashMap<>();
    private boolean news = true;
    private boolean ended;

    Listener(Consumer<Listener> leave) {
        this.leave = leave;
    }

    synchronized void wake() {
        news = true;
        notifyAll();
    }

    synchronized void offer(String uid, Event event) {
        progress.remove(uid);
        if (progress.size() < MOST) {
            progress.put(uid, event);
        }
        notifyAll();
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Waits for news, at most so long. Returns whether to go on. */
    public synchronized boolean await(Duration longest) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        while (!news && !ended && progress.isEmpty()) {
            long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        news = false;
        return !ended;
    }

    /** The progress since the last call. */
    public synchronized List<Event> progress() {
        List<Event> told = new ArrayList<>(progress.values());
        progress.clear();
        return told;
    }

    @Override
    public void close() {
        leave.accept(this);
    }
}
