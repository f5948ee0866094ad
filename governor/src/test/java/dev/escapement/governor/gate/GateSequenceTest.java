package dev.escapement.governor.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.TargetScenario;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks decisions over several executions: cases that a decision from lists of objects gets wrong. */
class GateSequenceTest {

    private static final Policy PER_WORKFLOW = Policy.DEFAULT.withFailureScope(FailureScope.WORKFLOW);
    private static final Policy BLOCK_PER_WORKFLOW = Policy.DEFAULT.withBlockScope(FailureScope.WORKFLOW);

    @Test
    void failedStartsBackOffAndSixthIsExhausted() {
        TargetScenario story = new TargetScenario();
        int[] minutes = {1, 2, 4, 8};
        for (int failure = 0; failure < 4; failure++) {
            Instant deadline = story.failBeforeExecution("cleanup");
            Duration wait = Duration.between(story.now(), deadline);
            Duration nominal = Duration.ofMinutes(minutes[failure]);
            assertThat(wait)
                    .isBetween(
                            nominal.multipliedBy(9).dividedBy(10),
                            nominal.multipliedBy(11).dividedBy(10))
                    .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(10));
            assertThat(story.entry().memory().consecutiveFailures(FailureScope.TARGET, "cleanup"))
                    .isEqualTo(failure + 1);
            // A second decision has the same deadline: it was drawn once and stored.
            assertThat(story.assertSkipped("cleanup", SkipReason.RecentlyRemediated)
                            .allowedAt())
                    .hasValue(deadline);
            assertThat(story.advance(Duration.ofSeconds(7))
                            .assertSkipped("cleanup", SkipReason.RecentlyRemediated)
                            .allowedAt())
                    .hasValue(deadline);
            story.advanceTo(deadline);
        }
        story.failBeforeExecution("cleanup");
        GateDecision.Skip sixth = story.assertSkipped("cleanup", SkipReason.ExhaustedRetries);
        assertThat(sixth.allowedAt()).isEmpty();
        assertThat(sixth.message())
                .contains("5 executions in a row could not start")
                .contains("the limit is 5");
        story.advance(Duration.ofDays(365)).assertSkipped("cleanup", SkipReason.ExhaustedRetries);
    }

    @Test
    void blockSurvivesSkippedExecutions() {
        TargetScenario story = new TargetScenario().failDuringExecution("cleanup");
        for (int i = 0; i < 3; i++) {
            story.advance(Duration.ofHours(1)).assertSkipped("cleanup", SkipReason.PreviousExecutionFailed);
        }
        story.assertSkipped("reboot", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void lostExecutionBlocks() {
        new TargetScenario()
                .lose("cleanup")
                .advance(Duration.ofDays(1))
                .assertSkipped("cleanup", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void skipDoesNotResetFailureStreak() {
        TargetScenario story = new TargetScenario();
        story.advanceTo(story.failBeforeExecution("cleanup").minusSeconds(1));
        story.assertSkipped("cleanup", SkipReason.RecentlyRemediated);
        story.advance(Duration.ofSeconds(1));
        Instant second = story.failBeforeExecution("cleanup");
        assertThat(Duration.between(story.now(), second)).isBetween(Duration.ofSeconds(108), Duration.ofSeconds(132));
    }

    @Test
    void successResetsFailureStreak() {
        TargetScenario story = new TargetScenario();
        story.advanceTo(story.failBeforeExecution("cleanup"));
        story.advanceTo(story.failBeforeExecution("cleanup"));
        story.complete("cleanup").advance(Duration.ofMinutes(5));
        Instant first = story.failBeforeExecution("cleanup");
        assertThat(Duration.between(story.now(), first)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));
    }

    @Test
    void targetScopeCountsFailuresOfAllWorkflows() {
        TargetScenario story = new TargetScenario();
        story.advanceTo(story.failBeforeExecution("cleanup"));
        Instant second = story.failBeforeExecution("reboot");
        assertThat(Duration.between(story.now(), second)).isBetween(Duration.ofSeconds(108), Duration.ofSeconds(132));
        story.assertSkipped("third", SkipReason.RecentlyRemediated);
    }

    @Test
    void workflowScopeCountsFailuresPerWorkflow() {
        TargetScenario story = new TargetScenario(PER_WORKFLOW);
        story.failBeforeExecution("cleanup");
        Instant first = story.failBeforeExecution("reboot");
        assertThat(Duration.between(story.now(), first)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));
        story.assertSkipped("cleanup", SkipReason.RecentlyRemediated);
        story.complete("third").assertSkipped("cleanup", SkipReason.RecentlyRemediated);
    }

    @Test
    void otherWorkflowMayFollowSuccessButNotExecutionFailure() {
        new TargetScenario().complete("cleanup").complete("reboot");
        new TargetScenario().failDuringExecution("cleanup").assertSkipped("reboot", SkipReason.PreviousExecutionFailed);
        new TargetScenario(BLOCK_PER_WORKFLOW).failDuringExecution("cleanup").complete("reboot");
    }

    @Test
    void failureScopeDoesNotNarrowBlock() {
        new TargetScenario(PER_WORKFLOW)
                .failDuringExecution("cleanup")
                .assertSkipped("reboot", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void blockScopeDoesNotNarrowBackoffAndLimit() {
        TargetScenario story = new TargetScenario(BLOCK_PER_WORKFLOW);
        for (int i = 0; i < 5; i++) {
            Instant next = story.failBeforeExecution("cleanup");
            if (i == 0) {
                story.assertSkipped("reboot", SkipReason.RecentlyRemediated);
            }
            story.advanceTo(next);
        }
        story.assertSkipped("reboot", SkipReason.ExhaustedRetries);
    }

    @Test
    void blockSurvivesSuccessOfOtherWorkflowAndScopeChange() {
        TargetScenario story = new TargetScenario(BLOCK_PER_WORKFLOW)
                .failDuringExecution("cleanup")
                .complete("reboot");
        story.assertSkipped("cleanup", SkipReason.PreviousExecutionFailed);
        story.withPolicy(Policy.DEFAULT).assertSkipped("third", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void admitsExactlyAtDeadline() {
        TargetScenario story = new TargetScenario();
        Instant deadline = story.failBeforeExecution("cleanup");
        story.advanceTo(deadline.minusNanos(1)).assertSkipped("cleanup", SkipReason.RecentlyRemediated);
        story.advanceTo(deadline).complete("cleanup");
        story.advanceTo(deadline.plus(Duration.ofMinutes(5)).minusNanos(1))
                .assertSkipped("cleanup", SkipReason.RecentlyRemediated);
        story.advanceTo(deadline.plus(Duration.ofMinutes(5))).assertAdmitted("cleanup");
    }

    @Test
    void clearanceResetsFailuresAndBlock() {
        TargetScenario blocked =
                new TargetScenario().failDuringExecution("cleanup").clear();
        blocked.complete("cleanup");

        TargetScenario exhausted = new TargetScenario();
        for (int i = 0; i < 5; i++) {
            exhausted.advanceTo(exhausted.failBeforeExecution("cleanup"));
        }
        exhausted.assertSkipped("cleanup", SkipReason.ExhaustedRetries);
        exhausted.clear();
        Instant first = exhausted.failBeforeExecution("cleanup");
        assertThat(Duration.between(exhausted.now(), first)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));

        TargetScenario backingOff = new TargetScenario();
        backingOff.failBeforeExecution("cleanup");
        backingOff.clear().assertAdmitted("cleanup");
    }

    @Test
    void deletionResetsUnlessPolicyForbids() {
        TargetScenario story = new TargetScenario().failDuringExecution("cleanup");
        story.forget(99).assertSkipped("cleanup", SkipReason.PreviousExecutionFailed);
        story.forget(1).assertAdmitted("cleanup");

        Policy keep = PolicyText.parse(Map.of("reset-on-delete", "false"));
        new TargetScenario(keep)
                .failDuringExecution("cleanup")
                .forget(1)
                .assertSkipped("cleanup", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void deletingEarlierFailureKeepsStreak() {
        TargetScenario story = new TargetScenario();
        story.advanceTo(story.failBeforeExecution("cleanup"));
        story.failBeforeExecution("cleanup");
        story.forget(1);
        assertThat(story.entry().memory().consecutiveFailures(FailureScope.TARGET, "cleanup"))
                .isEqualTo(2);
        story.forget(2);
        assertThat(story.entry().memory().consecutiveFailures(FailureScope.TARGET, "cleanup"))
                .isZero();
        story.assertAdmitted("cleanup");
    }

    @Test
    void deletingExecutionsOfOtherWorkflowKeepsTargetStreak() {
        TargetScenario story = new TargetScenario();
        story.advanceTo(story.failBeforeExecution("a"));
        for (int i = 0; i < 4; i++) {
            story.advanceTo(story.failBeforeExecution("b"));
        }
        story.assertSkipped("a", SkipReason.ExhaustedRetries);
        story.forget(1).assertSkipped("a", SkipReason.ExhaustedRetries);
        // The target remembers the last one: deleting it resets the streak.
        story.forget(5).assertAdmitted("a");
    }

    @Test
    void scopeChangeDoesNotInventConsecutiveFailures() {
        TargetScenario story = new TargetScenario(PER_WORKFLOW);
        for (int i = 0; i < 3; i++) {
            story.advanceTo(story.failBeforeExecution("a"));
        }
        story.complete("b");
        story.advanceTo(story.failBeforeExecution("c"));
        story.advanceTo(story.failBeforeExecution("c"));
        story.withPolicy(Policy.DEFAULT);
        assertThat(story.entry().memory().consecutiveFailures(FailureScope.TARGET, "a"))
                .isEqualTo(2);
        assertThat(story.entry().memory().consecutiveFailures(FailureScope.WORKFLOW, "a"))
                .isEqualTo(3);
        story.assertAdmitted("d");
    }

    @Test
    void latestDeadlineStandsWhenScopeIsWidened() {
        TargetScenario story = new TargetScenario(PER_WORKFLOW);
        for (int i = 0; i < 2; i++) {
            story.advanceTo(story.failBeforeExecution("a"));
        }
        Instant late = story.failBeforeExecution("a");
        Instant early = story.failBeforeExecution("b");
        assertThat(early).isBefore(late);
        assertThat(story.withPolicy(Policy.DEFAULT)
                        .assertSkipped("c", SkipReason.RecentlyRemediated)
                        .allowedAt())
                .hasValue(late);
    }

    @Test
    void deletionDoesNotForgetHolder() {
        TargetScenario story = new TargetScenario();
        story.assertAdmitted("cleanup");
        story.forget(1).assertSkipped("cleanup", SkipReason.ResourceBusy);
    }
}
