package dev.escapement.server.http;

import dev.escapement.server.DaemonThreads;
import io.javalin.http.Context;
import io.javalin.util.function.ThrowingRunnable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers that go on for as long as somebody reads them: each has a thread of its own, so that one that does not read
 * holds up nobody, and there are not more than so many. One whose reader takes nothing for
 * {@link #READER_TIMEOUT_MILLIS} is cut off by the connection's idle timeout.
 */
public final class ResponseStreams implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ResponseStreams.class);

    /** Within this time a reader must take something that was written. */
    static final long READER_TIMEOUT_MILLIS = 30_000;

    private static final int MAX_STREAMS = 128;
    private static final long SHUTDOWN_TIMEOUT_MILLIS = 5_000;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, MAX_STREAMS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), DaemonThreads.named("stream"));

    private final CountDownLatch stopSignal = new CountDownLatch(1);

    /** Answers on a thread of its own. */
    public void open(Context context, ThrowingRunnable<Exception> answer) {
        if (threads.getActiveCount() >= MAX_STREAMS || threads.isShutdown()) {
            throw HttpProblem.unavailable(
                    "%d streams are open, that is the most: close one or try again".formatted(MAX_STREAMS));
        }
        try {
            context.async(
                    config -> {
                        config.executor = executor();
                        config.timeout = 0;
                    },
                    () -> {
                        answer.run();
                        closeOutput(context);
                    });
        } catch (RejectedExecutionException full) {
            throw HttpProblem.unavailable(
                    "%d streams are open, that is the most: close one or try again".formatted(MAX_STREAMS));
        }
    }

    /**
     * Says here and now that it was all. The server would do so too, on a thread of its own, for which nobody waits who
     * {@linkplain #close closes}.
     */
    private static void closeOutput(Context context) {
        try {
            context.res().getOutputStream().close();
        } catch (IOException gone) {
            LOG.debug("a reader is gone: {}", gone.toString());
        }
    }

    private ExecutorService executor() {
        return threads;
    }

    /** Waits a moment. Returns false if the server stops. */
    public boolean pause(long millis) throws InterruptedException {
        return !stopSignal.await(millis, TimeUnit.MILLISECONDS);
    }

    int open() {
        return threads.getActiveCount();
    }

    /** Lets them end as they should, so that readers know that it was all; who does not read is cut off. */
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
