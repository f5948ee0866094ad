package dev.escapement.server.http.transport;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the guard when a request begins and ends, and has it check its deadlines once a second. */
final class RequestTracker extends Handler.Wrapper {

    private static final Logger LOG = LoggerFactory.getLogger(RequestTracker.class);

    private final ConnectionGuard guard;
    private final Scheduler scheduler;

    RequestTracker(ConnectionGuard guard) {
        this(guard, new ScheduledExecutorScheduler("http-deadlines", true));
    }

    /** @param scheduler is started and stopped with this */
    RequestTracker(ConnectionGuard guard, Scheduler scheduler) {
        this.guard = guard;
        this.scheduler = scheduler;
        addBean(scheduler);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        scheduleCheck();
    }

    private void scheduleCheck() {
        scheduler.schedule(this::check, 1, TimeUnit.SECONDS);
    }

    /** Without the next check slow clients would be limited no more. */
    private void check() {
        try {
            guard.checkDeadlines();
        } catch (RuntimeException failure) {
            LOG.error("Checking the deadlines of connections failed; checking again in a second", failure);
        } finally {
            scheduleCheck();
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        // Until a handler takes it over, the request gets an error that the client must read.
        guard.awaitReader(request, 0, 0);
        return super.handle(request, response, new Callback.Nested(callback) {
            @Override
            public void succeeded() {
                // Before the next request of the connection can begin.
                guard.awaitRequest(request);
                super.succeeded();
            }

            @Override
            public void failed(Throwable cause) {
                guard.awaitRequest(request);
                super.failed(cause);
            }
        });
    }
}
