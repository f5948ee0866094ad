package dev.escapement.governor.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.TargetScenario;
import dev.escapement.governor.ledger.ExecutionOutcome.FailedBeforeExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.WorkflowMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Invalid requests count for their own workflow only, whatever state the target is in. */
class InvalidRequestSequenceTest {

    @ParameterizedTest
    @EnumSource(FailureScope.class)
    void holdBackTheirWorkflowOnly(FailureScope scope) {
        TargetScenario story = new TargetScenario(Policy.DEFAULT.withFailureScope(scope));
        FailedBeforeExecution first = story.failValidation("broken");
        Instant next = first.nextAllowed().orElseThrow();
        assertThat(first.consecutiveFailures()).isEqualTo(1);
        assertThat(first.failedAt()).isEqualTo(story.now());
        assertThat(Duration.between(story.now(), next)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));
        GateDecision.Skip skip = story.assertSkipped("broken", SkipReason.RecentlyRemediated);
        assertThat(skip.message())
                .startsWith("execution ops/broken-1 could not start on node/worker-node-1 at 2026-11-15T12:00:00Z"
                        + " (ValidationError), failure 1 in a row;");
        assertThat(skip.allowedAt()).hasValue(next);
        assertThat(story.entry().memory().failureStreak()).isEmpty();
        story.complete("other");
        story.advanceTo(next).complete("broken");
        assertThat(story.entry().memory().invalidRequests("broken")).isEmpty();
    }

    @Test
    void exhaustTheirWorkflowOnly() {
        TargetScenario story = new TargetScenario(Policy.DEFAULT.withMaxConsecutiveFailures(2));
        story.failValidation("broken");
        FailedBeforeExecution second = story.failValidation("broken");
        assertThat(second.consecutiveFailures()).isEqualTo(2);
        assertThat(second.nextAllowed()).isEmpty();
        GateDecision.Skip skip = story.assertSkipped("broken", SkipReason.ExhaustedRetries);
        assertThat(skip.message())
                .contains("2 executions in a row could not start")
                .endsWith("workflow broken no longer runs on it until a person has removed the cause and cleared it");
        assertThat(skip.explanation().checks().get(3).inputs())
                .isEqualTo("not allowed before a clearance, after ops/broken-2");
        story.complete("other").assertSkipped("broken", SkipReason.ExhaustedRetries);
        story.clear().assertAdmitted("broken");
    }

    @Test
    void areCountedWhileTargetIsHeldOrBlocked() {
        TargetScenario story = new TargetScenario();
        LedgerEntry.Held held = story.assertAdmitted("other");
        story.failValidation("broken");
        LedgerEntry.Held still = story.entry().heldBy(held.holder().execution()).orElseThrow();
        assertThat(still.epoch()).isEqualTo(held.epoch());
        assertThat(still.memory().invalidRequests("broken").orElseThrow().failures())
                .isEqualTo(1);

        TargetScenario blocked = new TargetScenario().failDuringExecution("other");
        assertThat(blocked.failValidation("broken").consecutiveFailures()).isEqualTo(1);
        blocked.assertSkipped("broken", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void strongerSeriesDecides() {
        TargetScenario longerBackoff = new TargetScenario();
        longerBackoff.advanceTo(longerBackoff.failBeforeExecution("a"));
        Instant starts = longerBackoff.failBeforeExecution("a");
        Instant invalid = longerBackoff.failValidation("a").nextAllowed().orElseThrow();
        assertThat(invalid).isBefore(starts);
        assertThat(longerBackoff
                        .assertSkipped("a", SkipReason.RecentlyRemediated)
                        .allowedAt())
                .hasValue(starts);
        longerBackoff.failValidation("a");
        Instant third = longerBackoff.failValidation("a").nextAllowed().orElseThrow();
        assertThat(third).isAfter(starts);
        assertThat(longerBackoff
                        .assertSkipped("a", SkipReason.RecentlyRemediated)
                        .allowedAt())
                .hasValue(third);
        assertThat(longerBackoff
                        .assertSkipped("b", SkipReason.RecentlyRemediated)
                        .allowedAt())
                .hasValue(starts);
    }

    @Test
    void exhaustedSeriesDecidesOverBackoff() {
        TargetScenario invalid = new TargetScenario(Policy.DEFAULT.withMaxConsecutiveFailures(2));
        invalid.failBeforeExecution("a");
        invalid.failValidation("a");
        invalid.failValidation("a");
        assertThat(invalid.assertSkipped("a", SkipReason.ExhaustedRetries).message())
                .contains("workflow a no longer runs");

        TargetScenario starts = new TargetScenario(Policy.DEFAULT.withMaxConsecutiveFailures(2));
        starts.advanceTo(starts.failBeforeExecution("a")).failBeforeExecution("a");
        starts.failValidation("a");
        assertThat(starts.assertSkipped("a", SkipReason.ExhaustedRetries).message())
                .contains("; nothing runs on it");
        starts.failValidation("a");
        assertThat(starts.assertSkipped("a", SkipReason.ExhaustedRetries).message())
                .contains("; nothing runs on it");
    }

    @Test
    void raisedLimitAdmitsSeriesWithoutDeadline() {
        TargetScenario story = new TargetScenario(Policy.DEFAULT.withMaxConsecutiveFailures(1));
        story.failBeforeExecution("a");
        story.failValidation("a");
        story.withPolicy(Policy.DEFAULT).assertAdmitted("a");
    }

    @Test
    void outcomeIsThatOfLastCountedRequestOnly() {
        TargetScenario story = new TargetScenario();
        FailedBeforeExecution first = story.failValidation("a");
        ExecutionRef firstRef = TargetScenario.request("a", 1).execution();
        assertThat(story.entry().invalidRequestOutcome(firstRef, "a")).hasValue(first);
        assertThat(story.entry().invalidRequestOutcome(firstRef, "b")).isEmpty();
        FailedBeforeExecution second = story.failValidation("a");
        assertThat(second)
                .isNotEqualTo(first)
                .hasToString("failure 2 in a row at 2026-11-15T12:00:00Z" + " (ValidationError), next allowed: "
                        + second.nextAllowed().orElseThrow());
        assertThat(story.entry().invalidRequestOutcome(firstRef, "a")).isEmpty();
    }

    @Test
    void deletionResetsThem() {
        TargetScenario story = new TargetScenario();
        story.failValidation("a");
        assertThat(story.entry().memory().failedExecutions()).hasSize(1);
        assertThat(story.entry().memory().endedExecutions()).hasSize(1);
        story.forget(1).assertAdmitted("a");
    }

    @Test
    void numberOfRememberedWorkflowsIsBounded() {
        TargetScenario story = new TargetScenario().failDuringExecution("w-0");
        story.failValidation("w-0");
        IntStream.range(1, 50).forEach(i -> {
            story.advance(Duration.ofSeconds(1));
            story.failValidation("w-" + i);
        });
        assertThat(story.entry().memory().workflows().values().stream()
                        .flatMap(memory -> memory.invalidRequests().stream())
                        .map(streak -> streak.last().workflow()))
                .hasSize(20)
                .contains("w-30", "w-49")
                .doesNotContain("w-29");
        WorkflowMemory oldest = story.entry().memory().forWorkflow("w-0");
        assertThat(oldest.block()).isPresent();
        assertThat(oldest.invalidRequests().map(FailureStreak::failures)).isEmpty();
    }
}
