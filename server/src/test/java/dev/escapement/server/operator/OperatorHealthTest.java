package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What makes an operator unready, and what only a restart fixes. */
class OperatorHealthTest {

    private final AtomicLong nanos = new AtomicLong();
    private Optional<String> disconnected = Optional.empty();
    private Optional<String> missing = Optional.empty();
    private boolean unreachable;
    private boolean forbidden;
    private final OperatorHealth health = new OperatorHealth(
            new OperatorHealth.ProblemSources(Optional::empty, () -> disconnected, this::queryMissing), nanos::get);

    private Optional<String> queryMissing() {
        if (unreachable) {
            throw new IllegalStateException("the details");
        }
        if (forbidden) {
            throw new KubernetesClientException("the details", 403, null);
        }
        return missing;
    }

    @AfterEach
    void close() {
        health.close();
    }

    private void advanceTime(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void ignoresWatchThatReconnectsInTime() {
        disconnected = Optional.of("the watch of pods is disconnected");
        assertThat(health.checkWatches()).isEmpty();
        advanceTime(Duration.ofSeconds(9));
        disconnected = Optional.empty();
        assertThat(health.checkWatches()).isEmpty();
        disconnected = Optional.of("the watch of pods is disconnected");
        advanceTime(Duration.ofSeconds(9));
        assertThat(health.checkWatches()).isEmpty();
    }

    @Test
    void lostWatchFailsReadinessThenLiveness() {
        disconnected = Optional.of("the watch of pods is disconnected");
        assertThat(health.checkWatches()).isEmpty();
        assertThat(health.checkLiveness()).isEmpty();
        advanceTime(Duration.ofSeconds(11));
        assertThat(health.checkWatches())
                .hasValueSatisfying(
                        said -> assertThat(said).contains("the watch of pods is disconnected for more than 10 s"));
        assertThat(health.checkLiveness()).isEmpty();
        advanceTime(Duration.ofSeconds(50));
        assertThat(health.checkLiveness())
                .hasValueSatisfying(said -> assertThat(said).contains("pods", "more than a minute"));
    }

    @Test
    void staysLiveWhileApiServerIsUnreachableOrResourcesAreMissing() {
        disconnected = Optional.of("the watch of pods is disconnected");
        unreachable = true;
        assertThat(health.checkLiveness()).isEmpty();
        advanceTime(Duration.ofMinutes(2));
        assertThat(health.checkLiveness()).isEmpty();
        unreachable = false;
        missing = Optional.of("install it");
        assertThat(health.checkLiveness()).isEmpty();
        missing = Optional.empty();
        assertThat(health.checkLiveness())
                .as("the watches have a minute to reconnect")
                .isEmpty();
        advanceTime(Duration.ofSeconds(61));
        assertThat(health.checkLiveness()).isPresent();
    }

    @Test
    void reportsFailedQueryWithoutDetailsAndQueriesAgain() {
        unreachable = true;
        assertThat(health.checkResources())
                .hasValueSatisfying(said -> assertThat(said)
                        .contains("does not answer (IllegalStateException)")
                        .doesNotContain("the details"));
        unreachable = false;
        assertThat(health.checkResources()).isEmpty();
    }

    @Test
    void reportsForbiddenQueryAsForbidden() {
        forbidden = true;
        assertThat(health.checkResources())
                .hasValueSatisfying(
                        said -> assertThat(said).contains("forbids").doesNotContain("does not answer", "the details"));
        assertThat(OperatorFactory.accessProblem(new KubernetesClientException("", 403, null)))
                .hasValueSatisfying(said -> assertThat(said).contains("forbids", "deploy/kubernetes/rbac.yaml"));
        assertThat(OperatorFactory.accessProblem(new KubernetesClientException("", 401, null)))
                .hasValueSatisfying(said -> assertThat(said).contains("does not accept the credentials"));
        assertThat(OperatorFactory.accessProblem(new KubernetesClientException("", 500, null)))
                .isEmpty();
    }

    @Test
    void sharesOnePendingQueryAndTimesOut() {
        CountDownLatch answers = new CountDownLatch(1);
        AtomicLong questions = new AtomicLong();
        try (OperatorHealth silent = new OperatorHealth(
                new OperatorHealth.ProblemSources(Optional::empty, Optional::empty, () -> {
                    questions.incrementAndGet();
                    await(answers);
                    return Optional.empty();
                }),
                nanos::get)) {
            assertThat(silent.checkResources()).isPresent();
            advanceTime(Duration.ofSeconds(7));
            assertThat(silent.checkResources())
                    .hasValueSatisfying(said -> assertThat(said).contains("has not answered for 7 s"));
            answers.countDown();
            assertThat(silent.checkResources()).isEmpty();
            assertThat(questions).hasValue(1);
        }
    }

    /** Otherwise several readiness checks would delay a liveness check too long. */
    @Test
    void concurrentChecksDoNotWaitForEachOther() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        ExecutorService probes = Executors.newFixedThreadPool(5);
        try (OperatorHealth silent = new OperatorHealth(
                new OperatorHealth.ProblemSources(Optional::empty, Optional::empty, () -> {
                    await(never);
                    return Optional.empty();
                }),
                nanos::get)) {
            CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.supplyAsync(silent::checkResources, probes))
                            .limit(5)
                            .toArray(CompletableFuture[]::new))
                    .get(5, TimeUnit.SECONDS);
        } finally {
            never.countDown();
            probes.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
