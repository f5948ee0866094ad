package dev.escapement.server.worker;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads with names that a thread dump can be read by. They do not keep the program alive. */
public final class Threads {

    private Threads() {}

    /** Makes threads {@code name-1}, {@code name-2} and so on. */
    public static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
