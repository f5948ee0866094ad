package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.FailureLog;
import dev.escapement.engine.Requeue;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.ConditionPoller;
import dev.escapement.server.WorkItem;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class WorkQueueTest {

    private final WorkQueue queue =
            new WorkQueue(4, new FailureLog(LoggerFactory.getLogger(WorkQueueTest.class), "Testing"));

    @AfterEach
    void stop() {
        queue.close();
    }

    private static WorkItem item(int number) {
        return WorkItem.of(new ExecutionRef("default", "e" + number, "uid-" + number));
    }

    private void awaitEmpty() {
        ConditionPoller.await("nothing is kept", () -> queue.depth() == 0);
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
            int number = Integer.parseInt(work.execution().name().substring(1));
            if (inside[number].incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            seen.put(number, wanted[number].get());
            inside[number].decrementAndGet();
            return Requeue.ON_CHANGE;
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
            return Requeue.NEVER;
        });
        ConditionPoller.await("it looks", () -> looks.get() == 1);
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
            return look < 6 ? Requeue.IMMEDIATELY : Requeue.NEVER;
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
            return Requeue.NEVER;
        });
        queue.add(item(1));
        awaitEmpty();
        assertThat(looks).hasValue(2);
    }

    @Test
    void keepsKnownTargetWhenItemWithoutTargetIsAdded() throws InterruptedException {
        Optional<Target> target = Optional.of(Target.parse("node/n"));
        BlockingQueue<WorkItem> looked = new LinkedBlockingQueue<>();
        queue.add(WorkItem.of(item(1).execution(), target));
        queue.add(item(1));
        queue.start(work -> {
            looked.add(work);
            return Requeue.NEVER;
        });
        assertThat(looked.poll(60, TimeUnit.SECONDS)).isEqualTo(WorkItem.of(item(1).execution(), target));
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
                return Requeue.NEVER;
            }
            finished.incrementAndGet();
            return Requeue.IMMEDIATELY;
        });
        queue.add(item(1));
        looking.await();
        Thread closing = new Thread(() -> queue.close(Duration.ofSeconds(60)));
        closing.start();
        ConditionPoller.await("it is closing", () -> !queue.isAlive());
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
            return Requeue.NEVER;
        });
        queue.add(item(1));
        looking.await();
        assertThat(queue.close(Duration.ofMillis(50))).isFalse();
    }
}
