package dev.escapement.server.http;

import dev.escapement.common.NamedThreadFactory;
import dev.escapement.server.http.transport.BufferedResponse;
import io.javalin.http.Context;
import io.javalin.util.function.ThrowingRunnable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Responses without an end, such as event streams. Each has its own thread, so that a slow reader delays no other, and
 * their number is limited. A reader that takes nothing for 30 s is disconnected by the idle timeout of the connection.
 */
public final class ResponseStreams implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ResponseStreams.class);

    private static final int MAX_STREAMS = 128;
    private static final long SHUTDOWN_TIMEOUT_MILLIS = 5_000;

    /** The semaphore limits the threads: a thread whose stream has just ended may not be idle yet. */
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), NamedThreadFactory.daemon("stream"));

    private final Semaphore slots = new Semaphore(MAX_STREAMS);

    private final CountDownLatch stopSignal = new CountDownLatch(1);

    /**
     * Writes a response on its own thread; responds with 503 if too many streams are open.
     *
     * @param writer ends the response by returning, or by an {@link IOException} if the reader disconnected
     */
    public void open(Context context, ThrowingRunnable<Exception> writer) {
        if (!slots.tryAcquire()) {
            throw limitReached();
        }
        try {
            context.req().setAttribute(BufferedResponse.STREAM_ATTRIBUTE, true);
            context.async(
                    config -> {
                        config.executor = threads;
                        config.timeout = 0;
                    },
                    () -> write(context, writer));
        } catch (RejectedExecutionException stopping) {
            slots.release();
            throw HttpProblem.of(503, "the server stops");
        }
    }

    /** Responds with 503 if too many streams are open, before anything is read for another one. */
    public void rejectIfFull() {
        if (slots.availablePermits() == 0) {
            throw limitReached();
        }
    }

    private static HttpProblem limitReached() {
        return HttpProblem.of(
                503, "%d streams are open, which is the limit: close one or try again".formatted(MAX_STREAMS));
    }

    private void write(Context context, ThrowingRunnable<Exception> writer) throws Exception {
        try {
            writer.run();
        } catch (IOException gone) {
            LOG.debug("Reader of stream {} disconnected: {}", context.path(), gone.toString());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            slots.release();
        }
        closeOutput(context);
    }

    /** Ends the response here: Jetty would end it on another thread, for which {@link #close} does not wait. */
    private static void closeOutput(Context context) {
        try {
            context.res().getOutputStream().close();
        } catch (IOException gone) {
            LOG.debug("Reader of stream {} disconnected: {}", context.path(), gone.toString());
        }
    }

    /** Waits. Returns false if the server stops. */
    public boolean pause(long millis) throws InterruptedException {
        return !stopSignal.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Returns how many event streams and followed logs are open. */
    public int openCount() {
        return MAX_STREAMS - slots.availablePermits();
    }

    /** Ends all streams in order, so that readers see a complete response; disconnects those that do not read. */
    @Override
    public void close() {
        stopSignal.countDown();
        threads.shutdown();
        try {
            if (threads.awaitTermination(SHUTDOWN_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }
}
