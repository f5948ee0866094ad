package dev.escapement.server;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates named daemon threads. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /** Creates threads {@code name-1}, {@code name-2} and so on. */
    public static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
