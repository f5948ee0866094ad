package dev.escapement.server.metrics;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionDetail;
import dev.escapement.governor.gate.SkipReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/**
 * Counts finished executions by reading the journal. Every server on a database and every replica of an operator reads
 * the whole journal: take the maximum over servers, not the sum.
 */
public final class JournalMetrics {

    private static final String OUTCOME = "outcome";
    private static final String REASON = "reason";

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(15),
        Duration.ofHours(1)
    };

    private final MeterRegistry registry;

    /** Registers all counters with zero, so that rates have a start value. */
    public JournalMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (String outcome : new String[] {"Completed", "Failed", "Skipped"}) {
            outcomeCounter(outcome);
        }
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
        return Counter.builder("workflowexecution")
                .description("Finished executions, by outcome")
                .tag(OUTCOME, outcome)
                .register(registry);
    }

    private Timer durationTimer(String outcome) {
        return Timer.builder("workflowexecution.duration")
                .description("Duration of executions, from acquiring their target to their end")
                .serviceLevelObjectives(BUCKETS)
                .tag(OUTCOME, outcome)
                .register(registry);
    }

    private Counter skipCounter(String reason) {
        return Counter.builder("workflowexecution.skip")
                .description("Skipped executions, by reason")
                .tag(REASON, reason)
                .register(registry);
    }

    private Counter backoffCounter(String reason) {
        return Counter.builder("workflowexecution.backoff.skip")
                .description("Executions skipped because earlier ones could not start")
                .tag(REASON, reason)
                .register(registry);
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
