package dev.escapement.engine.sim;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Work that pauses at every port call until the simulation resumes it. Exactly one fiber, or the simulation itself,
 * runs at any moment, so the order is deterministic.
 */
final class Fiber {

    /** The process was killed here. */
    static final class KilledError extends Error {
        KilledError() {
            super("killed", null, false, false);
        }
    }

    private static final ThreadLocal<Fiber> CURRENT = new ThreadLocal<>();

    /** Creating a thread costs more than a simulation, so threads are reused. */
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "fiber");
        thread.setDaemon(true);
        return thread;
    });

    private final Semaphore resumePermits = new Semaphore(0);
    private final Semaphore pausePermits = new Semaphore(0);
    private volatile boolean killed;
    private volatile boolean finished;
    private volatile Optional<Throwable> failure = Optional.empty();

    Fiber(Runnable work) {
        THREADS.execute(() -> run(work));
    }

    private void run(Runnable work) {
        CURRENT.set(this);
        resumePermits.acquireUninterruptibly();
        try {
            if (!killed) {
                work.run();
            }
        } catch (KilledError expected) {
            // A killed process leaves only its writes.
        } catch (Throwable unexpected) {
            failure = Optional.of(unexpected);
        } finally {
            CURRENT.remove();
            finished = true;
            pausePermits.release();
        }
    }

    /** Called by the simulated ports: lets the simulation run something else, or kill this fiber. */
    static void pause() {
        Fiber current = CURRENT.get();
        if (current != null) {
            current.pausePermits.release();
            current.resumePermits.acquireUninterruptibly();
            if (current.killed) {
                throw new KilledError();
            }
        }
    }

    /** Runs to the next port call. Returns whether the work has finished. */
    boolean step() {
        resumePermits.release();
        pausePermits.acquireUninterruptibly();
        failure.ifPresent(thrown -> {
            throw new AssertionError("the engine threw: " + thrown, thrown);
        });
        return finished;
    }

    void kill() {
        killed = true;
        while (!finished) {
            resumePermits.release();
            pausePermits.acquireUninterruptibly();
        }
    }
}
