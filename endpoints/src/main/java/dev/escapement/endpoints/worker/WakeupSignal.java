package dev.escapement.endpoints.worker;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Lets the worker's thread sleep until a timeout or a signal. */
final class WakeupSignal {

    private enum Signal {
        CALL_FINISHED,
        URGENT
    }

    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();

    /** Wakes the thread after a short delay, so that calls that finish together are handled together. */
    void signalCallFinished() {
        signals.add(Signal.CALL_FINISHED);
    }

    /** Wakes the thread at once. */
    void wakeUp() {
        // Not twice: unlike calls in flight, changes of the store have no bound while the thread is busy.
        if (!signals.contains(Signal.URGENT)) {
            signals.add(Signal.URGENT);
        }
    }

    /**
     * Sleeps until a signal, and consumes all.
     *
     * @param nanos maximum time
     * @param coalesceNanos delay after {@link #signalCallFinished}, limited by {@code nanos}
     */
    void await(long nanos, long coalesceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        Signal signal = signals.poll(nanos, TimeUnit.NANOSECONDS);
        long until = Math.min(deadline, System.nanoTime() + coalesceNanos);
        while (signal == Signal.CALL_FINISHED) {
            signal = signals.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        signals.clear();
    }
}
