package dev.escapement.server.metrics;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionDetail;
import dev.escapement.governor.gate.SkipReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Counts finished executions by reading the journal. Every server on a database and every replica of an operator reads
 * the whole journal: take the maximum over servers, not the sum.
 */
public final class JournalMetrics {

    private static final long[] BUCKET_MILLIS = {100, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000};

    private final Meters meters;

    /** Registers all counters with zero, so that rates have a start value. */
    public JournalMetrics(MeterRegistry registry) {
        this.meters = new Meters(registry);
        List.of("Completed", "Failed", "Skipped").forEach(this::outcomeCounter);
        durationTimer("Completed");
        durationTimer("Failed");
        for (SkipReason reason : SkipReason.values()) {
            skipCounter(reason.name());
        }
        backoffCounter("RecentlyRemediated");
        backoffCounter("ExhaustedRetries");
    }

    public void count(Transition transition) {
        switch (transition.type()) {
            case WorkflowCompleted -> countRun(transition, "Completed");
            case WorkflowFailed -> countRun(transition, "Failed");
            case WorkflowSkipped -> countSkip(transition);
            default -> {
                // Gauges show the other states.
            }
        }
    }

    private void countRun(Transition transition, String outcome) {
        outcomeCounter(outcome).increment();
        transition
                .detail(TransitionDetail.DURATION_SECONDS)
                .flatMap(JournalMetrics::parseSeconds)
                .ifPresent(time -> durationTimer(outcome).record(time));
    }

    private void countSkip(Transition transition) {
        outcomeCounter("Skipped").increment();
        skipCounter(transition.reason()).increment();
        boolean afterFailure = transition
                .detail(TransitionDetail.RECENT_OUTCOME)
                .filter("Failed"::equals)
                .isPresent();
        // RecentlyRemediated is also the reason of the cooldown after a success, which is no backoff.
        if (transition.reason().equals("ExhaustedRetries")
                || (transition.reason().equals("RecentlyRemediated") && afterFailure)) {
            backoffCounter(transition.reason()).increment();
        }
    }

    private Counter outcomeCounter(String outcome) {
        return meters.counter("workflowexecution", "Finished executions, by outcome", "outcome", outcome);
    }

    private Timer durationTimer(String outcome) {
        String description = "Duration of executions, from acquiring their target to their end";
        return meters.timer("workflowexecution.duration", description, BUCKET_MILLIS, "outcome", outcome);
    }

    private Counter skipCounter(String reason) {
        return meters.counter("workflowexecution.skip", "Skipped executions, by reason", "reason", reason);
    }

    private Counter backoffCounter(String reason) {
        String description = "Executions skipped because earlier ones could not start";
        return meters.counter("workflowexecution.backoff.skip", description, "reason", reason);
    }

    private static Optional<Duration> parseSeconds(String text) {
        try {
            Duration time =
                    Duration.ofMillis(new BigDecimal(text).movePointRight(3).longValue());
            return Optional.of(time.isNegative() ? Duration.ZERO : time);
        } catch (NumberFormatException invalid) {
            return Optional.empty();
        }
    }
}
