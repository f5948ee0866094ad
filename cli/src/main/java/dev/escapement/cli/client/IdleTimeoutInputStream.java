package dev.escapement.cli.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A stream that ends with an error when nothing has come for too long: a connection can die without a word. */
final class IdleTimeoutInputStream extends FilterInputStream {

    private final Duration idleTimeout;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "idle-guard");
        thread.setDaemon(true);
        return thread;
    });

    IdleTimeoutInputStream(InputStream in, Duration longest) {
        super(in);
        this.idleTimeout = longest;
    }

    @Override
    public int read() throws IOException {
        ScheduledFuture<?> alarm = scheduleTimeout();
        try {
            return super.read();
        } finally {
            alarm.cancel(false);
        }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        ScheduledFuture<?> alarm = scheduleTimeout();
        try {
            return super.read(buffer, offset, length);
        } finally {
            alarm.cancel(false);
        }
    }

    @Override
    public void close() throws IOException {
        timer.shutdownNow();
        super.close();
    }

    /** Whoever waits in a read is woken by the end of what it reads from. */
    private ScheduledFuture<?> scheduleTimeout() {
        return timer.schedule(
                () -> {
                    super.close();
                    return null;
                },
                idleTimeout.toNanos(),
                TimeUnit.NANOSECONDS);
    }
}
