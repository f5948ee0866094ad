package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.WorkQueue.WorkResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

    private record NumberedItem(int number, Optional<String> detail) implements WorkQueue.Item<NumberedItem> {
        @Override
        public Object key() {
            return number;
        }

        @Override
        public NumberedItem mergedWith(NumberedItem earlier) {
            return new NumberedItem(number, detail.or(earlier::detail));
        }
    }

    private final List<Integer> failedAttempts = new CopyOnWriteArrayList<>();
    private final AtomicInteger recoveries = new AtomicInteger();
    private final WorkQueue<NumberedItem> queue = new WorkQueue<>(
            4,
            Duration.ofSeconds(5),
            (item, attempt, failure) -> failedAttempts.add(attempt),
            recoveries::incrementAndGet);

    @AfterEach
    void stop() {
        queue.close();
    }

    private static NumberedItem item(int number) {
        return new NumberedItem(number, Optional.empty());
    }

    private void awaitEmpty() {
        await("nothing is kept", () -> queue.depth() == 0);
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).describedAs(what).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void processesExecutionOnOneThreadAtATimeAndLosesNoItem() throws InterruptedException {
        int executions = 8;
        AtomicInteger[] inside = new AtomicInteger[executions];
        AtomicInteger[] wanted = new AtomicInteger[executions];
        ConcurrentHashMap<Integer, Integer> seen = new ConcurrentHashMap<>();
        AtomicInteger overlaps = new AtomicInteger();
        for (int i = 0; i < executions; i++) {
            inside[i] = new AtomicInteger();
            wanted[i] = new AtomicInteger();
        }
        queue.start(work -> {
            int number = work.number();
            if (inside[number].incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            seen.put(number, wanted[number].get());
            inside[number].decrementAndGet();
            return WorkResult.DONE;
        });
        Thread[] callers = new Thread[4];
        for (int t = 0; t < callers.length; t++) {
            callers[t] = new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    wanted[i % executions].incrementAndGet();
                    queue.add(item(i % executions));
                }
            });
            callers[t].start();
        }
        for (Thread caller : callers) {
            caller.join();
        }
        awaitEmpty();
        assertThat(overlaps).hasValue(0);
        for (int i = 0; i < executions; i++) {
            assertThat(seen.get(i))
                    .describedAs("the last look saw the last change")
                    .isEqualTo(wanted[i].get());
        }
    }

    @Test
    void coalescesItemsAddedWhileWaiting() {
        Semaphore busy = new Semaphore(0);
        AtomicInteger looks = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            queue.add(item(1));
        }
        queue.start(work -> {
            looks.incrementAndGet();
            busy.acquireUninterruptibly();
            return WorkResult.DONE;
        });
        await("it looks", () -> looks.get() == 1);
        for (int i = 0; i < 100; i++) {
            queue.add(item(1));
        }
        busy.release(2);
        awaitEmpty();
        assertThat(looks).hasValue(2);
    }

    @Test
    void requeuesOnRequestAndRetriesFailures() {
        AtomicInteger looks = new AtomicInteger();
        queue.start(work -> {
            int look = looks.incrementAndGet();
            if (look == 3 || look == 4) {
                throw new IllegalStateException("the store is away");
            }
            return look < 6 ? WorkResult.CONFLICT : WorkResult.DONE;
        });
        queue.add(item(1));
        awaitEmpty();
        assertThat(looks).hasValue(6);
    }

    @Test
    void retriesAfterError() {
        AtomicInteger looks = new AtomicInteger();
        queue.start(work -> {
            if (looks.incrementAndGet() == 1) {
                throw new StackOverflowError();
            }
            return WorkResult.DONE;
        });
        queue.add(item(1));
        awaitEmpty();
        assertThat(looks).hasValue(2);
    }

    @Test
    void mergesItemsAddedWhileWaiting() throws InterruptedException {
        Optional<String> detail = Optional.of("node/n");
        BlockingQueue<NumberedItem> processed = new LinkedBlockingQueue<>();
        queue.add(new NumberedItem(1, detail));
        queue.add(item(1));
        queue.start(work -> {
            processed.add(work);
            return WorkResult.DONE;
        });
        assertThat(processed.poll(60, TimeUnit.SECONDS)).isEqualTo(new NumberedItem(1, detail));
    }

    @Test
    void reportsFailuresAndRecovery() {
        queue.start(work -> {
            if (failedAttempts.size() < 2) {
                throw new IllegalStateException("the store is away");
            }
            return WorkResult.DONE;
        });
        queue.add(item(1));
        awaitEmpty();
        assertThat(failedAttempts).containsExactly(1, 2);
        assertThat(recoveries).hasValue(1);
    }

    @Test
    void countsFailuresOfKeysSeparately() {
        queue.start(work -> {
            if (failedAttempts.size() < 2) {
                throw new IllegalStateException("the store is away");
            }
            return WorkResult.DONE;
        });
        queue.add(item(1));
        queue.add(item(2));
        awaitEmpty();
        assertThat(failedAttempts).containsExactly(1, 1);
    }

    @Test
    void restartsFailureCountAfterSuccess() {
        AtomicInteger looks = new AtomicInteger();
        queue.start(work -> {
            int look = looks.incrementAndGet();
            if (look == 1 || look == 3) {
                throw new IllegalStateException("the store is away");
            }
            return look == 2 ? WorkResult.after(Duration.ofMillis(1)) : WorkResult.DONE;
        });
        queue.add(item(1));
        await("processed again", () -> looks.get() == 4);
        awaitEmpty();
        assertThat(failedAttempts).containsExactly(1, 1);
    }

    @Test
    void processesAgainAfterRequestedDelay() {
        AtomicInteger looks = new AtomicInteger();
        queue.start(work -> looks.incrementAndGet() == 1 ? WorkResult.after(Duration.ofMillis(20)) : WorkResult.DONE);
        queue.add(item(1));
        await("processed again", () -> looks.get() == 2);
        awaitEmpty();
        assertThat(looks).hasValue(2);
    }

    @Test
    void processesAtOnceWhenItemIsAddedDuringDelay() {
        AtomicInteger looks = new AtomicInteger();
        queue.start(work -> looks.incrementAndGet() == 1 ? WorkResult.after(Duration.ofHours(1)) : WorkResult.DONE);
        queue.add(item(1));
        await("it is delayed", () -> looks.get() == 1);
        queue.add(item(1));
        awaitEmpty();
        assertThat(looks).hasValue(2);
    }

    @Test
    void closeFinishesCurrentItemAndAcceptsNoNewOnes() throws InterruptedException {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        AtomicInteger finished = new AtomicInteger();
        queue.start(work -> {
            looking.countDown();
            try {
                finish.await();
            } catch (InterruptedException interrupted) {
                return WorkResult.DONE;
            }
            finished.incrementAndGet();
            return WorkResult.CONFLICT;
        });
        queue.add(item(1));
        looking.await();
        Thread closing = new Thread(() -> queue.close(Duration.ofSeconds(60)));
        closing.start();
        await("it is closing", () -> !queue.isAlive());
        queue.add(item(2));
        finish.countDown();
        closing.join();
        assertThat(finished).hasValue(1);
    }

    @Test
    void closeTimesOut() throws InterruptedException {
        CountDownLatch looking = new CountDownLatch(1);
        queue.start(work -> {
            looking.countDown();
            new Semaphore(0).acquireUninterruptibly();
            return WorkResult.DONE;
        });
        queue.add(item(1));
        looking.await();
        assertThat(queue.close(Duration.ofMillis(50))).isFalse();
    }
}
