package dev.escapement.common;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates threads that a thread dump shows by name. An exception that ends a thread is logged as an error. Thread-safe.
 */
public final class NamedThreadFactory {

    private static final Logger LOG = LoggerFactory.getLogger(NamedThreadFactory.class);

    private NamedThreadFactory() {}

    /** Returns a factory of daemon threads {@code name-1}, {@code name-2} and so on; they do not keep the JVM alive. */
    public static ThreadFactory daemon(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> daemonThread(name + "-" + count.incrementAndGet(), task);
    }

    /** Creates one daemon thread with exactly this name; it is not started. */
    public static Thread daemonThread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(
                (ended, failure) -> LOG.error("Thread {} ended with an exception", ended.getName(), failure));
        return thread;
    }
}
