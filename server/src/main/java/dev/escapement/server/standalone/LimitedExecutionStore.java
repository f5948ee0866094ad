package dev.escapement.server.standalone;

import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.ExecutionStore.ForwardingStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Limits how many writes of clients wait for the database at once, so that some of its connections are left for the
 * workers. Further writes wait for a moment and then fail, which a client gets as 503.
 */
record LimitedExecutionStore(ExecutionStore delegate, Semaphore permits, Duration maxWait) implements ForwardingStore {

    /** Fewer than the connections of a server; the default number of workers uses the others. */
    private static final int MAX_WRITES = 6;

    private static final Duration MAX_WAIT = Duration.ofSeconds(2);

    LimitedExecutionStore(ExecutionStore delegate) {
        this(delegate, new Semaphore(MAX_WRITES, true), MAX_WAIT);
    }

    @Override
    public boolean apply(List<StoreWrite> writes) {
        acquire();
        try {
            return delegate.apply(writes);
        } finally {
            permits.release();
        }
    }

    private void acquire() {
        try {
            if (permits.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        String message = "too many writes of clients wait for the database; nothing was changed, try again later";
        throw new StorageUnavailableException(message, new TimeoutException("no permit within " + maxWait));
    }
}
