package dev.escapement.endpoints.worker;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How a worker's thread waits for its next turn. */
final class Rest {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private boolean landed;
    private boolean poked;

    /** A call has landed: worth a turn soon. */
    void landed() {
        tell(false);
    }

    /** Worth a turn at once. */
    void poke() {
        tell(true);
    }

    private void tell(boolean urgent) {
        lock.lock();
        try {
            landed = true;
            poked |= urgent;
            news.signal();
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
            for (long left = nanos; left > 0 && !poked; left = until - System.nanoTime()) {
                if (landed && !breathing) {
                    breathing = true;
                    until = Math.min(end, System.nanoTime() + breath);
                } else {
                    news.await(left, TimeUnit.NANOSECONDS);
                }
            }
            landed = false;
            poked = false;
        } finally {
            lock.unlock();
        }
    }
}
