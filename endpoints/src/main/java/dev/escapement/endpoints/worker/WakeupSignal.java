package dev.escapement.endpoints.worker;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets the worker's thread sleep until a timeout or a signal. */
final class WakeupSignal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private boolean callFinished;
    private boolean urgentSignal;

    /** Wakes the thread after a short delay, so that calls that finish together are handled together. */
    void signalCallFinished() {
        signal(false);
    }

    /** Wakes the thread at once. */
    void wakeUp() {
        signal(true);
    }

    private void signal(boolean urgent) {
        lock.lock();
        try {
            callFinished = true;
            urgentSignal |= urgent;
            condition.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sleeps until a signal, and consumes it.
     *
     * @param nanos maximum time
     * @param coalesceNanos delay after {@link #signalCallFinished}, limited by {@code nanos}
     */
    void await(long nanos, long coalesceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        lock.lockInterruptibly();
        try {
            long until = deadline;
            boolean coalescing = false;
            for (long left = nanos; left > 0 && !urgentSignal; left = until - System.nanoTime()) {
                if (callFinished && !coalescing) {
                    coalescing = true;
                    until = Math.min(deadline, System.nanoTime() + coalesceNanos);
                } else {
                    condition.await(left, TimeUnit.NANOSECONDS);
                }
            }
            callFinished = false;
            urgentSignal = false;
        } finally {
            lock.unlock();
        }
    }
}
