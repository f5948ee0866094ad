package dev.escapement.engine.sim;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Work that stops at every port call and goes on when the simulation says so. Exactly one fiber, or the simulation
 * itself, runs at any moment: real threads, but no chance in their order.
 */
final class Fiber {

    /** The process was killed here. */
    static final class KilledError extends Error {
        KilledError() {
            super("killed", null, false, false);
        }
    }

    private static final ThreadLocal<Fiber> CURRENT = new ThreadLocal<>();

    /** A thread costs more to make than a life has to do: they are kept. */
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
            // A process that is killed leaves nothing but what it has written.
        } catch (Throwable unexpected) {
            failure = Optional.of(unexpected);
        } finally {
            CURRENT.remove();
            finished = true;
            pausePermits.release();
        }
    }

    /** Called by the simulated ports: everything else may happen here. */
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

    /** Lets it run to its next port call. Returns whether it is over. */
    boolean step() {
        resumePermits.release();
        pausePermits.acquireUninterruptibly();
        failure.ifPresent(thrown -> {
            throw new AssertionError("the engine threw: " + thrown, thrown);
        });
        return finished;
    }

    /** Kills it where it stands. */
    void kill() {
        killed = true;
        while (!finished) {
            resumePermits.release();
            pausePermits.acquireUninterruptibly();
        }
    }
}
