package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait that should end at once would last an hour, and the timeout would report it. */
@Timeout(30)
class WakeupSignalTest {

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final WakeupSignal signal = new WakeupSignal();

    @Test
    void signalBeforeTheWaitIsNotLost() throws InterruptedException {
        signal.wakeUp();
        signal.await(HOUR, HOUR);
    }

    @Test
    void signalDuringTheWaitEndsIt() throws Exception {
        CompletableFuture<Void> waiting = awaitInThread(HOUR, HOUR);
        signal.wakeUp();
        waiting.get();
    }

    @Test
    void urgentSignalEndsTheDelayAfterFinishedCall() throws Exception {
        CompletableFuture<Void> waiting = awaitInThread(HOUR, HOUR);
        signal.signalCallFinished();
        signal.wakeUp();
        waiting.get();
    }

    @Test
    void finishedCallEndsTheWaitAfterTheDelay() throws InterruptedException {
        signal.signalCallFinished();
        signal.signalCallFinished();
        signal.await(HOUR, 1);
    }

    @Test
    void waitConsumesAllSignals() throws InterruptedException {
        signal.signalCallFinished();
        signal.wakeUp();
        signal.wakeUp();
        signal.signalCallFinished();
        signal.await(HOUR, HOUR);
        long start = System.nanoTime();
        signal.await(1_000_000, 0);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(1_000_000);
    }

    @Test
    void waitWithoutTimeConsumesSignalsToo() throws InterruptedException {
        signal.wakeUp();
        signal.await(0, 0);
        signal.wakeUp();
        signal.await(-1, HOUR);
        long start = System.nanoTime();
        signal.await(1_000_000, 0);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(1_000_000);
    }

    @Test
    void interruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> signal.await(HOUR, HOUR)).isInstanceOf(InterruptedException.class);
    }

    private CompletableFuture<Void> awaitInThread(long nanos, long coalesceNanos) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                signal.await(nanos, coalesceNanos);
                done.complete(null);
            } catch (InterruptedException interrupted) {
                done.completeExceptionally(interrupted);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
