package dev.escapement.server.http.transport;

import dev.escapement.common.NamedThreadFactory;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that process requests, and the requests that wait for one. If all threads are busy, flows are served in turn.
 * One flow never occupies all threads, and if too many requests wait, one of the longest flow is rejected.
 */
final class RequestPool {

    /** A request that waits for a thread. */
    interface RequestTask {

        void run();

        /** Called instead of {@link #run} if there is no room for the request. */
        void reject();
    }

    private static final int MAX_WAITING = 1_000;
    private static final long IDLE_SECONDS = 30;

    private final FairQueue<RequestFlow, RequestTask> queue;
    private final ThreadPoolExecutor threads;

    /** Waiting requests for which no thread will look, because their flows ran enough when one did. */
    private int unscheduled;

    RequestPool(String name, int size) {
        queue = new FairQueue<>(MAX_WAITING, Math.max(1, size / 2));
        threads = new ThreadPoolExecutor(
                size,
                size,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                NamedThreadFactory.daemon(name));
        threads.allowCoreThreadTimeOut(true);
    }

    void execute(RequestFlow flow, RequestTask task) {
        Optional<RequestTask> dropped;
        synchronized (this) {
            dropped = queue.add(flow, task);
            if (dropped.isEmpty()) {
                unscheduled++;
            }
        }
        schedule();
        dropped.ifPresent(RequestTask::reject);
    }

    /** Has a thread look for the next request, unless one will do so for each that waits. */
    private void schedule() {
        synchronized (this) {
            if (unscheduled == 0) {
                return;
            }
            unscheduled--;
        }
        try {
            threads.execute(this::runNext);
        } catch (RejectedExecutionException stopped) {
            rejectWaiting();
        }
    }

    private void runNext() {
        Optional<FairQueue.Taken<RequestFlow, RequestTask>> next;
        synchronized (this) {
            next = queue.poll();
            if (next.isEmpty()) {
                unscheduled++;
                return;
            }
        }
        try {
            next.get().task().run();
        } finally {
            synchronized (this) {
                queue.finish(next.get().flow());
            }
            schedule();
        }
    }

    /** Interrupts the requests that are processed and rejects those that wait. */
    void stop() {
        threads.shutdownNow();
        rejectWaiting();
    }

    private void rejectWaiting() {
        while (true) {
            Optional<FairQueue.Taken<RequestFlow, RequestTask>> next;
            synchronized (this) {
                next = queue.poll();
                next.ifPresent(taken -> queue.finish(taken.flow()));
            }
            if (next.isEmpty()) {
                return;
            }
            next.get().task().reject();
        }
    }
}
