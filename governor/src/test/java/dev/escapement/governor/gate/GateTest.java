package dev.escapement.governor.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.Story;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The table of the gate, row by row. */
class GateTest {

    @Test
    void g1AnotherExecutionHoldsTheTarget() {
        Story story = new Story();
        story.admitted("cleanup");
        Decision.Skip skip = story.wait(Duration.ofSeconds(5)).skipped("reboot", SkipReason.ResourceBusy);
        assertThat(skip.conflicting().orElseThrow().execution().name()).isEqualTo("cleanup-1");
        assertThat(skip.recent()).isEmpty();
        assertThat(skip.allowedAt()).isEmpty();
        assertThat(skip.remaining()).isEmpty();
        assertThat(skip.message())
                .isEqualTo("node/worker-node-1 is held by execution ops/cleanup-1 (workflow cleanup) since "
                        + "2026-11-15T12:00:00Z; one execution at a time runs on a target");
        assertThat(skip.explanation().change()).isEqualTo("when execution ops/cleanup-1 ends");
        assertThat(skip.reason().passesByItself()).isTrue();
    }

    @Test
    void theHolderItselfIsNotInItsOwnWay() {
        Story story = new Story();
        LedgerEntry.Held held = story.admitted("cleanup");
        assertThat(Gate.decide(Story.request("cleanup", 1), held, Policy.DEFAULT, story.now()))
                .isInstanceOf(Decision.Admit.class);
    }

    @Test
    void g2TheLastExecutionRanAndFailed() {
        Story story = new Story().failsDuring("cleanup");
        Decision.Skip skip = story.wait(Duration.ofDays(30)).skipped("cleanup", SkipReason.PreviousExecutionFailed);
        assertThat(skip.recent().orElseThrow().execution().name()).isEqualTo("cleanup-1");
        assertThat(skip.conflicting()).isEmpty();
        assertThat(skip.allowedAt()).isEmpty();
        assertThat(skip.message())
                .isEqualTo("execution ops/cleanup-1 (workflow cleanup) ran on node/worker-node-1 and failed at "
                        + "2026-11-15T12:00:00Z (TaskFailed), so node/worker-node-1 may be half changed; nothing runs on "
                        + "it until a person has looked and cleared it");
        assertThat(skip.explanation().change()).isEqualTo("when a person clears the target");
        assertThat(skip.reason().passesByItself()).isFalse();
    }

    @Test
    void g3TooManyCouldNotStart() {
        Story story = new Story(PolicyText.parse(Map.of("max-consecutive-failures", "2")));
        story.waitUntil(story.failsBefore("cleanup"));
        story.failsBefore("cleanup");
        Decision.Skip skip = story.skipped("cleanup", SkipReason.ExhaustedRetries);
        assertThat(skip.recent().orElseThrow().execution().name()).isEqualTo("cleanup-2");
        assertThat(skip.allowedAt()).isEmpty();
        assertThat(skip.message())
                .isEqualTo("2 executions in a row could not start on node/worker-node-1, the last one ops/cleanup-2 at "
                        + story.now()
                        + " (ImagePullBackOff), and the limit is 2; nothing runs on it until a person has removed the "
                        + "cause and cleared it");
        assertThat(skip.reason().passesByItself()).isFalse();
    }

    @Test
    void g4TheBackoffStillRuns() {
        Story story = new Story();
        Instant deadline = story.failsBefore("cleanup");
        Decision.Skip skip = story.wait(Duration.ofSeconds(20)).skipped("reboot", SkipReason.RecentlyRemediated);
        assertThat(skip.check()).isEqualTo(GateCheck.BACKOFF_IS_OVER);
        assertThat(skip.recent().orElseThrow().execution().name()).isEqualTo("cleanup-1");
        assertThat(skip.allowedAt()).hasValue(deadline);
        assertThat(skip.remaining()).hasValue(Duration.between(story.now(), deadline));
        assertThat(skip.message())
                .startsWith("execution ops/cleanup-1 could not start on node/worker-node-1 at 2026-11-15T12:00:00Z "
                        + "(ImagePullBackOff), failure 1 in a row; it may run again in ")
                .endsWith(", at " + deadline);
        assertThat(skip.explanation().change()).isEqualTo("by itself, at " + deadline);
    }

    @Test
    void g5TheSameWorkflowCompletedTooRecently() {
        Story story =
                new Story().completes("cleanup").wait(Duration.ofSeconds(100).plusNanos(1));
        Decision.Skip skip = story.skipped("cleanup", SkipReason.RecentlyRemediated);
        assertThat(skip.check()).isEqualTo(GateCheck.COOLDOWN_IS_OVER);
        assertThat(skip.remaining()).hasValue(Duration.ofSeconds(200).minusNanos(1));
        assertThat(skip.message())
                .isEqualTo("workflow cleanup completed on node/worker-node-1 at 2026-11-15T12:00:00Z (execution "
                        + "ops/cleanup-1); it may run again in 3m20s, at 2026-11-15T12:05:00Z");
    }

    @Test
    void nothingInTheWay() {
        Decision decision = new Story().ask("cleanup");
        assertThat(decision).isInstanceOf(Decision.Admit.class);
        assertThat(decision.explanation().admits()).isTrue();
        assertThat(decision.explanation().allowedAt()).hasValue(Story.START);
        assertThat(decision.explanation().change()).isEqualTo("nothing is in the way");
    }

    @Test
    void theTargetIsTheSameWhateverNamespaceTheRequestLivesIn() {
        Story story = new Story();
        LedgerEntry.Held held = story.admitted("cleanup");
        Request elsewhere = new Request(
                new ExecutionRef("another-namespace", "cleanup-1", "uid-77"),
                "cleanup",
                Target.parse("Node/worker-node-1"));
        assertThat(Gate.decide(elsewhere, held, Policy.DEFAULT, story.now())).isInstanceOf(Decision.Skip.class);
    }

    @Test
    void theFirstCheckInTheOrderDecides() {
        // Held, blocked, exhausted, backing off and cooling down, all at once.
        Policy strict = PolicyText.parse(Map.of("max-consecutive-failures", "1", "failure-scope", "workflow"));
        Story story = new Story(strict).completes("a");
        story.failsBefore("b");
        story.failsDuring("c");
        story.under(Policy.DEFAULT);
        story.skipped("a", SkipReason.PreviousExecutionFailed);

        Policy lenient = PolicyText.parse(Map.of("max-consecutive-failures", "1"));
        Story exhausted = new Story(lenient).completes("a");
        exhausted.failsBefore("b");
        exhausted.skipped("a", SkipReason.ExhaustedRetries);

        Story backingOff = new Story().completes("a");
        backingOff.failsBefore("b");
        assertThat(backingOff.skipped("a", SkipReason.RecentlyRemediated).check())
                .isEqualTo(GateCheck.BACKOFF_IS_OVER);
    }

    @Test
    void allowedAtIsTheLatestOfAllDeadlinesInTheWay() {
        Story story = new Story().completes("a");
        Instant backoff = story.failsBefore("b");
        Decision.Skip skip = story.skipped("a", SkipReason.RecentlyRemediated);
        assertThat(backoff).isBefore(Story.START.plus(Duration.ofMinutes(5)));
        assertThat(skip.check()).isEqualTo(GateCheck.BACKOFF_IS_OVER);
        assertThat(skip.allowedAt()).hasValue(Story.START.plus(Duration.ofMinutes(5)));
    }

    @Test
    void theExplanationShowsEveryCheckWithWhatItSaw() {
        Story story = new Story().completes("a");
        Instant deadline = story.failsBefore("b");
        Explanation explanation = story.ask("a").explanation();
        assertThat(explanation.checks()).extracting(Explanation.Result::check).containsExactly(GateCheck.values());
        assertThat(explanation.checks())
                .extracting(Explanation.Result::inputs)
                .containsExactly(
                        "free",
                        "no such failure",
                        "1 in a row, the limit is 5",
                        "next allowed at " + deadline + ", after ops/b-2",
                        "ops/a-1 completed at 2026-11-15T12:00:00Z, the cooldown is 5m");
        assertThat(explanation.checks())
                .extracting(result -> result.obstacle().isPresent())
                .containsExactly(false, false, false, true, true);
        assertThat(explanation.admits()).isFalse();

        Story other = new Story().failsDuring("a");
        assertThat(other.ask("b").explanation().checks().get(1).inputs())
                .isEqualTo("ops/a-1 of workflow a failed at 2026-11-15T12:00:00Z (TaskFailed)");
        assertThat(other.ask("b").explanation().checks().get(4).inputs()).isEqualTo("no recent success of b");
        assertThat(other.ask("b").explanation().checks().get(3).inputs()).isEqualTo("no failure to start");
    }

    @Test
    void theExplanationNamesEverythingThatMustHappen() {
        Policy perWorkflow = PolicyText.parse(Map.of("failure-scope", "workflow"));
        Story story = new Story(perWorkflow).failsDuring("a");
        story.admitted("b");
        assertThat(story.ask("a").explanation().change())
                .isEqualTo("when execution ops/b-2 ends, and a person clears the target");
        assertThat(story.skipped("b", SkipReason.ResourceBusy).message()).contains("ops/b-2");
        assertThat(story.ask("a").explanation().checks().get(0).inputs())
                .isEqualTo("held by ops/b-2 (workflow b) since 2026-11-15T12:00:00Z");
    }

    @Test
    void theExplanationNamesDeadlinesBesideOtherConditions() {
        Story story = new Story().completes("a");
        story.admitted("b");
        assertThat(story.ask("a").explanation().change())
                .isEqualTo("when execution ops/b-2 ends, and it is 2026-11-15T12:05:00Z");
    }

    @Test
    void theMessageOfABlockNamesTheWorkflowIfOnlyThatIsBlocked() {
        Story story = new Story(PolicyText.parse(Map.of("failure-scope", "workflow", "max-consecutive-failures", "1")));
        story.failsDuring("a");
        assertThat(story.skipped("a", SkipReason.PreviousExecutionFailed).message())
                .endsWith("workflow a no longer runs on it until a person has looked and cleared it");
        story.failsBefore("b");
        assertThat(story.skipped("b", SkipReason.ExhaustedRetries).message())
                .endsWith("workflow b no longer runs on it until a person has removed the cause and cleared it");
        story.admitted("c");
    }

    @Test
    void everyCheckAsksAQuestion() {
        for (GateCheck check : GateCheck.values()) {
            assertThat(check.question()).endsWith("?");
        }
    }

    @Test
    void anEntryOfAnotherTargetIsABug() {
        LedgerEntry other = LedgerEntry.fresh(Target.parse("node/other"));
        assertThatThrownBy(() -> Gate.decide(Story.request("a", 1), other, Policy.DEFAULT, Story.START))
                .hasMessage("the request is for node/worker-node-1, the ledger entry of node/other");
    }

    @Test
    void aFailureInTheFutureOfThisClockStillHoldsItsFullTime() {
        // Another machine's clock may be ahead: its deadline stands.
        Story story = new Story();
        LedgerEntry.Held held = story.admitted("a");
        Instant ahead = Story.START.plusSeconds(30);
        LedgerEntry entry = held.release(new Outcome.Completed(), ahead);
        Decision decision = Gate.decide(Story.request("a", 9), entry, Policy.DEFAULT, Story.START);
        assertThat(((Decision.Skip) decision).allowedAt()).hasValue(ahead.plus(Duration.ofMinutes(5)));
    }
}
