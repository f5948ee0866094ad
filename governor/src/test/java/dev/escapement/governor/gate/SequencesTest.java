package dev.escapement.governor.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.Story;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What happens over several executions: the cases that a decision over lists of objects gets wrong. */
class SequencesTest {

    private static final Policy PER_WORKFLOW = PolicyText.parse(Map.of("failure-scope", "workflow"));

    @Test
    void fiveSeparateExecutionsThatCannotStartWaitLongerAndLongerAndTheSixthIsExhausted() {
        Story story = new Story();
        int[] minutes = {1, 2, 4, 8, 10};
        for (int failure = 0; failure < 5; failure++) {
            Instant deadline = story.failsBefore("cleanup");
            Duration wait = Duration.between(story.now(), deadline);
            Duration nominal = Duration.ofMinutes(minutes[failure]);
            assertThat(wait)
                    .isBetween(
                            nominal.multipliedBy(9).dividedBy(10),
                            nominal.multipliedBy(11).dividedBy(10))
                    .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(10));
            assertThat(story.entry().memory().failures(FailureScope.TARGET, "cleanup"))
                    .isEqualTo(failure + 1);
            if (failure < 4) {
                // Asked twice, the deadline is the same: it was drawn once and stored.
                assertThat(story.skipped("cleanup", SkipReason.RecentlyRemediated)
                                .allowedAt())
                        .hasValue(deadline);
                assertThat(story.wait(Duration.ofSeconds(7))
                                .skipped("cleanup", SkipReason.RecentlyRemediated)
                                .allowedAt())
                        .hasValue(deadline);
            }
            story.waitUntil(deadline);
        }
        Decision.Skip sixth = story.skipped("cleanup", SkipReason.ExhaustedRetries);
        assertThat(sixth.allowedAt()).isEmpty();
        assertThat(sixth.message())
                .contains("5 executions in a row could not start")
                .contains("the limit is 5");
        story.wait(Duration.ofDays(365)).skipped("cleanup", SkipReason.ExhaustedRetries);
    }

    @Test
    void anExecutionFailureStaysABlockHoweverManyAreSkipped() {
        Story story = new Story().failsDuring("cleanup");
        for (int i = 0; i < 3; i++) {
            story.wait(Duration.ofHours(1)).skipped("cleanup", SkipReason.PreviousExecutionFailed);
        }
        story.skipped("reboot", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void aLostExecutionCountsAsHavingRun() {
        new Story().lost("cleanup").wait(Duration.ofDays(1)).skipped("cleanup", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void aSkipBetweenTwoFailuresDoesNotReset() {
        Story story = new Story();
        story.waitUntil(story.failsBefore("cleanup").minusSeconds(1));
        story.skipped("cleanup", SkipReason.RecentlyRemediated);
        story.wait(Duration.ofSeconds(1));
        Instant second = story.failsBefore("cleanup");
        assertThat(Duration.between(story.now(), second)).isBetween(Duration.ofSeconds(108), Duration.ofSeconds(132));
    }

    @Test
    void aSuccessInBetweenResets() {
        Story story = new Story();
        story.waitUntil(story.failsBefore("cleanup"));
        story.waitUntil(story.failsBefore("cleanup"));
        story.completes("cleanup").wait(Duration.ofMinutes(5));
        Instant first = story.failsBefore("cleanup");
        assertThat(Duration.between(story.now(), first)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));
    }

    @Test
    void failuresOfDifferentWorkflowsAddUpOnATarget() {
        Story story = new Story();
        story.waitUntil(story.failsBefore("cleanup"));
        Instant second = story.failsBefore("reboot");
        assertThat(Duration.between(story.now(), second)).isBetween(Duration.ofSeconds(108), Duration.ofSeconds(132));
        story.skipped("third", SkipReason.RecentlyRemediated);
    }

    @Test
    void failuresOfDifferentWorkflowsDoNotConcernEachOtherWithTheWorkflowScope() {
        Story story = new Story(PER_WORKFLOW);
        story.failsBefore("cleanup");
        Instant first = story.failsBefore("reboot");
        assertThat(Duration.between(story.now(), first)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));
        story.skipped("cleanup", SkipReason.RecentlyRemediated);
        story.completes("third").skipped("cleanup", SkipReason.RecentlyRemediated);
    }

    @Test
    void anotherWorkflowMayFollowASuccessAtOnceButNotAnExecutionFailure() {
        new Story().completes("cleanup").completes("reboot");
        new Story().failsDuring("cleanup").skipped("reboot", SkipReason.PreviousExecutionFailed);
        new Story(PER_WORKFLOW).failsDuring("cleanup").completes("reboot");
    }

    @Test
    void aBlockSurvivesASuccessOfAnotherWorkflowAndAChangeOfTheScope() {
        Story story = new Story(PER_WORKFLOW).failsDuring("cleanup").completes("reboot");
        story.skipped("cleanup", SkipReason.PreviousExecutionFailed);
        story.under(Policy.DEFAULT).skipped("third", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void atTheDeadlineItselfItIsAdmitted() {
        Story story = new Story();
        Instant deadline = story.failsBefore("cleanup");
        story.waitUntil(deadline.minusNanos(1)).skipped("cleanup", SkipReason.RecentlyRemediated);
        story.waitUntil(deadline).completes("cleanup");
        story.waitUntil(deadline.plus(Duration.ofMinutes(5)).minusNanos(1))
                .skipped("cleanup", SkipReason.RecentlyRemediated);
        story.waitUntil(deadline.plus(Duration.ofMinutes(5))).admitted("cleanup");
    }

    @Test
    void clearingIsAFreshStart() {
        Story blocked = new Story().failsDuring("cleanup").cleared();
        blocked.completes("cleanup");

        Story exhausted = new Story();
        for (int i = 0; i < 5; i++) {
            exhausted.waitUntil(exhausted.failsBefore("cleanup"));
        }
        exhausted.skipped("cleanup", SkipReason.ExhaustedRetries);
        exhausted.cleared();
        Instant first = exhausted.failsBefore("cleanup");
        assertThat(Duration.between(exhausted.now(), first)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));

        Story backingOff = new Story();
        backingOff.failsBefore("cleanup");
        backingOff.cleared().admitted("cleanup");
    }

    @Test
    void deletingTheRememberedExecutionResetsUnlessThePolicyForbidsIt() {
        Story story = new Story().failsDuring("cleanup");
        story.deleted(99).skipped("cleanup", SkipReason.PreviousExecutionFailed);
        story.deleted(1).admitted("cleanup");

        Policy keep = PolicyText.parse(Map.of("reset-on-delete", "false"));
        new Story(keep).failsDuring("cleanup").deleted(1).skipped("cleanup", SkipReason.PreviousExecutionFailed);
    }

    @Test
    void deletingAnEarlierFailureDoesNotShortenTheSeries() {
        Story story = new Story();
        story.waitUntil(story.failsBefore("cleanup"));
        story.failsBefore("cleanup");
        story.deleted(1);
        assertThat(story.entry().memory().failures(FailureScope.TARGET, "cleanup"))
                .isEqualTo(2);
        story.deleted(2);
        assertThat(story.entry().memory().failures(FailureScope.TARGET, "cleanup"))
                .isZero();
        story.admitted("cleanup");
    }

    @Test
    void cleaningUpOldExecutionsOfAnotherWorkflowDoesNotShortenTheSeriesOfTheTarget() {
        Story story = new Story();
        story.waitUntil(story.failsBefore("a"));
        for (int i = 0; i < 4; i++) {
            story.waitUntil(story.failsBefore("b"));
        }
        story.skipped("a", SkipReason.ExhaustedRetries);
        story.deleted(1).skipped("a", SkipReason.ExhaustedRetries);
        // The last one is what the target remembers: deleting it is the reset.
        story.deleted(5).admitted("a");
    }

    @Test
    void aChangeOfTheScopeDoesNotInventFailuresInARow() {
        Story story = new Story(PER_WORKFLOW);
        for (int i = 0; i < 3; i++) {
            story.waitUntil(story.failsBefore("a"));
        }
        story.completes("b");
        story.waitUntil(story.failsBefore("c"));
        story.waitUntil(story.failsBefore("c"));
        story.under(Policy.DEFAULT);
        assertThat(story.entry().memory().failures(FailureScope.TARGET, "a")).isEqualTo(2);
        assertThat(story.entry().memory().failures(FailureScope.WORKFLOW, "a")).isEqualTo(3);
        story.admitted("d");
    }

    @Test
    void theLaterDeadlineStandsWhenTheScopeIsWidened() {
        Story story = new Story(PER_WORKFLOW);
        for (int i = 0; i < 2; i++) {
            story.waitUntil(story.failsBefore("a"));
        }
        Instant late = story.failsBefore("a");
        Instant early = story.failsBefore("b");
        assertThat(early).isBefore(late);
        assertThat(story.under(Policy.DEFAULT)
                        .skipped("c", SkipReason.RecentlyRemediated)
                        .allowedAt())
                .hasValue(late);
    }

    @Test
    void theHolderIsNotForgottenWhenItsExecutionIsDeleted() {
        Story story = new Story();
        story.admitted("cleanup");
        story.deleted(1).skipped("cleanup", SkipReason.ResourceBusy);
    }
}
