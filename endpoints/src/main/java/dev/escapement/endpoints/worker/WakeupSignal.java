package dev.escapement.endpoints.worker;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How a worker's thread waits for its next turn. */
final class WakeupSignal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private boolean callFinished;
    private boolean urgentSignal;

    /** A call has landed: worth a turn soon. */
    void signalCallFinished() {
        signal(false);
    }

    /** Worth a turn at once. */
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
     * Waits.
     *
     * @param nanos at most so long
     * @param breath after a landing so long for others to come along, at most
     */
    void await(long nanos, long breath) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        lock.lockInterruptibly();
        try {
            long until = end;
            boolean breathing = false;
            for (long left = nanos; left > 0 && !urgentSignal; left = until - System.nanoTime()) {
                if (callFinished && !breathing) {
                    breathing = true;
                    until = Math.min(end, System.nanoTime() + breath);
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
