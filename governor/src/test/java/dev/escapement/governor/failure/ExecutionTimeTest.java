package dev.escapement.governor.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The time before a failure fits into the duration of its execution. */
class ExecutionTimeTest {

    private static final Instant ACQUIRED = Instant.parse("2026-11-15T12:00:00.700Z");

    private static Failure classify(Instant reportedStart, Instant end) {
        RunFacts facts = RunFacts.of(RunEnd.TIMED_OUT, end).startedAt(Optional.of(reportedStart));
        return FailureClassifier.classify("repair", "node/worker-1", facts, ACQUIRED);
    }

    /** An executor that counts whole seconds reports a start before the target was acquired. */
    @Test
    void beginsNotBeforeTheTargetWasAcquired() {
        Failure failure = classify(Instant.parse("2026-11-15T12:00:00Z"), ACQUIRED.plusMillis(643));
        assertThat(failure.executionTimeBeforeFailure()).contains(Duration.ofMillis(643));
        assertThat(failure.naturalLanguageSummary()).contains("643ms").doesNotContain("1.343s");
    }

    @Test
    void beginsWithTheRunAndHasMillis() {
        Instant start = ACQUIRED.plusSeconds(2);
        assertThat(classify(start, start.plusNanos(1_234_567_891)).executionTimeBeforeFailure())
                .contains(Duration.ofMillis(1_234));
    }
}
