package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.WorkQueue;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.HealthChecks.Report;
import dev.escapement.testkit.ConditionPoller;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readiness reports what keeps a server from processing executions. */
class StandaloneHealthTest {

    private static final int THREADS = 2;

    /** An item that is never merged. */
    private record TestItem(String key) implements WorkQueue.Item<TestItem> {

        @Override
        public TestItem mergedWith(TestItem earlier) {
            return this;
        }
    }

    private final Path folder;
    private final AtomicLong ticks = new AtomicLong();
    private final AtomicInteger failures = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);
    private final WorkQueue<TestItem> queue = new WorkQueue<>(
            THREADS,
            Duration.ofMillis(100),
            (item, attempt, failure) -> failures.incrementAndGet(),
            () -> {},
            ticks::get);

    StandaloneHealthTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @AfterEach
    void close() {
        released.countDown();
        queue.close();
    }

    private HealthChecks health(Optional<String> databaseProblem) {
        return new StandaloneHealth(
                        queue,
                        () -> true,
                        () -> true,
                        () -> true,
                        () -> true,
                        () -> true,
                        () -> databaseProblem,
                        Optional::empty,
                        folder)
                .createHealthChecks();
    }

    /** Reads it without the cache. */
    private Report readiness() {
        return health(Optional.empty()).checkReadiness();
    }

    private WorkResult block(TestItem item) {
        try {
            released.await();
            return WorkResult.DONE;
        } catch (InterruptedException closed) {
            throw new IllegalStateException(closed);
        }
    }

    @Test
    void isNotReadyWhileAllWorkersAreStuck() {
        queue.start(this::block);
        queue.add(new TestItem("first"));
        ticks.addAndGet(Duration.ofMinutes(3).toNanos());
        assertThat(readiness().healthy()).describedAs("another worker is free").isTrue();
        queue.add(new TestItem("second"));
        ConditionPoller.await("both are being processed", () -> queue.isStuck(Duration.ofNanos(-1)));
        ticks.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(readiness().healthy())
                .describedAs("the second one may still end")
                .isTrue();
        ticks.addAndGet(1);
        Report report = readiness();
        assertThat(report.healthy()).isFalse();
        assertThat(report.checks().get("workers")).contains("nothing else is processed", "2m");
        released.countDown();
        ConditionPoller.await("the workers are free", () -> readiness().healthy());
    }

    @Test
    void isDegradedWhileExecutionFailsRepeatedly() {
        queue.start(item -> {
            throw new IllegalStateException("its ledger entry is damaged");
        });
        queue.add(new TestItem("damaged"));
        ConditionPoller.await("it failed", () -> failures.get() > 0);
        assertThat(readiness().status()).isEqualTo("ok");
        ticks.addAndGet(Duration.ofMinutes(1).toNanos() + 1);
        Report report = readiness();
        assertThat(report.status()).isEqualTo("degraded");
        assertThat(report.healthy())
                .describedAs("other executions are processed")
                .isTrue();
        assertThat(report.checks().get("executions")).startsWith("1 cannot be processed since more than 1m");
    }

    @Test
    void isNotReadyWithProblemOfDatabase() {
        Report report = health(Optional.of("accepts no writes")).checkReadiness();
        assertThat(report.healthy()).isFalse();
        assertThat(report.checks()).containsEntry("database", "accepts no writes");
    }

    @Test
    void isNotAliveWhenWorkersHaveEnded() {
        assertThat(health(Optional.empty()).checkLiveness().healthy()).isTrue();
        queue.close();
        assertThat(health(Optional.empty()).checkLiveness().healthy()).isFalse();
    }
}
