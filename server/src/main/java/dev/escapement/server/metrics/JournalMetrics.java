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
 * Counts what became of executions, from the journal. Every server on a database, and every replica of an operator
 * whether it leads or not, reads the whole journal: take the maximum over servers, not the sum.
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

    /** Outcomes and reasons that have not happened are there too, as zero: a rate needs a beginning. */
    public JournalMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (String outcome : new String[] {"Completed", "Failed", "Skipped"}) {
            ended(outcome);
        }
        durationTimer("Completed");
        durationTimer("Failed");
        for (SkipReason reason : SkipReason.values()) {
            skipped(reason.name());
        }
        backoffCounter("RecentlyRemediated");
        backoffCounter("ExhaustedRetries");
    }

    /** Takes one transition. */
    public void count(Transition transition) {
        switch (transition.type()) {
            case WorkflowCompleted -> ended(transition, "Completed");
            case WorkflowFailed -> ended(transition, "Failed");
            case WorkflowSkipped -> skipped(transition);
            default -> {
                // The rest is told by the gauges.
            }
        }
    }

    private void ended(Transition transition, String outcome) {
        ended(outcome).increment();
        transition
                .detail(TransitionDetail.DURATION_SECONDS)
                .flatMap(JournalMetrics::parseSeconds)
                .ifPresent(time -> durationTimer(outcome).record(time));
    }

    private void skipped(Transition transition) {
        ended("Skipped").increment();
        skipped(transition.reason()).increment();
        boolean afterFailure = transition
                .detail(TransitionDetail.RECENT_OUTCOME)
                .filter("Failed"::equals)
                .isPresent();
        // The same reason also stands for the cooldown after a success, which is no backoff.
        if (transition.reason().equals("ExhaustedRetries")
                || (transition.reason().equals("RecentlyRemediated") && afterFailure)) {
            backoffCounter(transition.reason()).increment();
        }
    }

    private Counter ended(String outcome) {
        return Counter.builder("workflowexecution")
                .description("Executions that ended, by outcome")
                .tag(OUTCOME, outcome)
                .register(registry);
    }

    private Timer durationTimer(String outcome) {
        return Timer.builder("workflowexecution.duration")
                .description("How long executions ran, from taking their target to their end")
                .serviceLevelObjectives(BUCKETS)
                .tag(OUTCOME, outcome)
                .register(registry);
    }

    private Counter skipped(String reason) {
        return Counter.builder("workflowexecution.skip")
                .description("Executions that were skipped, by reason")
                .tag(REASON, reason)
                .register(registry);
    }

    private Counter backoffCounter(String reason) {
        return Counter.builder("workflowexecution.backoff.skip")
                .description("Executions that were skipped because earlier ones could not start")
                .tag(REASON, reason)
                .register(registry);
    }

    private static Optional<Duration> parseSeconds(String text) {
        try {
            Duration time =
                    Duration.ofMillis(new BigDecimal(text).movePointRight(3).longValue());
            return Optional.of(time.isNegative() ? Duration.ZERO : time);
        } catch (NumberFormatException notOurs) {
            return Optional.empty();
        }
    }
}
