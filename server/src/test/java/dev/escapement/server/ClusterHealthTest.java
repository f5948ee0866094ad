package dev.escapement.server;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What makes an operator unready, and what only a new start mends. */
class ClusterHealthTest {

    private final AtomicLong nanos = new AtomicLong();
    private Optional<String> cutOff = Optional.empty();
    private Optional<String> missing = Optional.empty();
    private boolean away;
    private final ClusterHealth health =
            new ClusterHealth(new ClusterHealth.Views(Optional::empty, () -> cutOff, this::ask), nanos::get);

    private Optional<String> ask() {
        if (away) {
            throw new IllegalStateException("the details");
        }
        return missing;
    }

    @AfterEach
    void close() {
        health.close();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aWatchThatBeginsAnewIsNoTrouble() {
        cutOff = Optional.of("the watch of pods is cut off");
        assertThat(health.unwatched()).isEmpty();
        pass(Duration.ofSeconds(9));
        cutOff = Optional.empty();
        assertThat(health.unwatched()).isEmpty();
        cutOff = Optional.of("the watch of pods is cut off");
        pass(Duration.ofSeconds(9));
        assertThat(health.unwatched()).isEmpty();
    }

    @Test
    void aWatchThatStaysAwayMakesItUnreadyAndAtLastDead() {
        cutOff = Optional.of("the watch of pods is cut off");
        assertThat(health.unwatched()).isEmpty();
        assertThat(health.dead()).isEmpty();
        pass(Duration.ofSeconds(11));
        assertThat(health.unwatched())
                .hasValueSatisfying(
                        said -> assertThat(said).contains("the watch of pods is cut off for more than 10 s"));
        assertThat(health.dead()).isEmpty();
        pass(Duration.ofSeconds(50));
        assertThat(health.dead()).hasValueSatisfying(said -> assertThat(said).contains("pods", "more than a minute"));
    }

    @Test
    void aNewStartMendsNeitherAnApiServerThatIsAwayNorWhatIsNotInstalled() {
        cutOff = Optional.of("the watch of pods is cut off");
        away = true;
        assertThat(health.dead()).isEmpty();
        pass(Duration.ofMinutes(2));
        assertThat(health.dead()).isEmpty();
        away = false;
        missing = Optional.of("install it");
        assertThat(health.dead()).isEmpty();
        missing = Optional.empty();
        assertThat(health.dead()).as("the watches have a minute to come back").isEmpty();
        pass(Duration.ofSeconds(61));
        assertThat(health.dead()).isPresent();
    }

    @Test
    void whatFailsIsToldWithoutDetailsAndIsAskedAgain() {
        away = true;
        assertThat(health.resources())
                .hasValueSatisfying(said -> assertThat(said)
                        .contains("does not answer (IllegalStateException)")
                        .doesNotContain("the details"));
        away = false;
        assertThat(health.resources()).isEmpty();
    }

    @Test
    void whoDoesNotAnswerIsAskedOnceAndWaitedForNotLongerThanAProbeWaits() {
        CountDownLatch answers = new CountDownLatch(1);
        AtomicLong questions = new AtomicLong();
        try (ClusterHealth silent = new ClusterHealth(
                new ClusterHealth.Views(Optional::empty, Optional::empty, () -> {
                    questions.incrementAndGet();
                    await(answers);
                    return Optional.empty();
                }),
                nanos::get)) {
            assertThat(silent.resources()).isPresent();
            pass(Duration.ofSeconds(7));
            assertThat(silent.resources())
                    .hasValueSatisfying(said -> assertThat(said).contains("has not answered for 7 s"));
            answers.countDown();
            assertThat(silent.resources()).isEmpty();
            assertThat(questions).hasValue(1);
        }
    }

    /** Or a few who ask whether it is ready make the one who asks whether it lives wait for too long. */
    @Test
    void whoAsksDoesNotWaitForOthersWhoAsk() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        ExecutorService probes = Executors.newFixedThreadPool(5);
        try (ClusterHealth silent = new ClusterHealth(
                new ClusterHealth.Views(Optional::empty, Optional::empty, () -> {
                    await(never);
                    return Optional.empty();
                }),
                nanos::get)) {
            CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.supplyAsync(silent::resources, probes))
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
