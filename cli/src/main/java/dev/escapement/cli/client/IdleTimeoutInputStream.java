package dev.escapement.cli.client;

import dev.escapement.common.NamedThreadFactory;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Closes the stream when a read gets no byte within the timeout: a connection can be dropped silently. */
final class IdleTimeoutInputStream extends FilterInputStream {

    private final Duration idleTimeout;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(NamedThreadFactory.daemon("idle-timeout"));

    IdleTimeoutInputStream(InputStream in, Duration idleTimeout) {
        super(in);
        this.idleTimeout = idleTimeout;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        ScheduledFuture<?> timeout = scheduleClose();
        try {
            return super.read(buffer, offset, length);
        } finally {
            timeout.cancel(false);
        }
    }

    @Override
    public void close() throws IOException {
        timer.shutdownNow();
        super.close();
    }

    /** Closing the underlying stream makes a blocked read fail. */
    private ScheduledFuture<?> scheduleClose() {
        return timer.schedule(
                () -> {
                    super.close();
                    return null;
                },
                idleTimeout.toNanos(),
                TimeUnit.NANOSECONDS);
    }
}
