package dev.escapement.governor.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.Story;
import dev.escapement.governor.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LedgerEntryTest {

    private static final Target TARGET = Story.TARGET;
    private static final Instant NOW = Story.START;
    private static final Instant LATER = NOW.plus(Duration.ofDays(9999));
    private static final Policy POLICY = Policy.DEFAULT;

    private static ExecutionRef execution(int number) {
        return new ExecutionRef("ops", "e-" + number, "uid-" + number);
    }

    private static Holder holder(int number) {
        return new Holder(execution(number), "cleanup", "run-" + number, "run-" + number, NOW);
    }

    @Test
    void aFreshEntryIsIdle() {
        assertThat(LedgerEntry.fresh(TARGET).isIdle(NOW)).isTrue();
        assertThat(LedgerEntry.fresh(TARGET).memory().last()).isEmpty();
    }

    @Test
    void acquiringNamesTheExecutionAndItsVeryRun() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        assertThat(held.holder()).isEqualTo(holder(1));
        assertThat(held.heldBy(execution(1))).hasValue(held);
        assertThat(held.heldBy(execution(2))).isEmpty();
        assertThat(LedgerEntry.fresh(TARGET).heldBy(execution(1))).isEmpty();
        assertThat(held.isIdle(LATER)).isFalse();
    }

    @Test
    void theSameNameWithAnotherUidIsAnotherExecution() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        assertThat(held.heldBy(new ExecutionRef("ops", "e-1", "uid-later"))).isEmpty();
    }

    @Test
    void theEpochGrowsWithEveryAcquisitionAlsoAfterTheEntryWasRemoved() {
        LedgerEntry.Held first = LedgerEntry.fresh(TARGET).acquire(holder(1));
        LedgerEntry.Held second = first.release(new Outcome.Completed(), NOW).acquire(holder(2));
        assertThat(second.epoch()).isEqualTo(first.epoch() + 1);

        Instant later = NOW.plus(Duration.ofMinutes(5));
        LedgerEntry.Held anew =
                LedgerEntry.fresh(TARGET).acquire(new Holder(execution(3), "cleanup", "run", "run", later));
        assertThat(anew.epoch()).isGreaterThan(second.epoch());
    }

    @Test
    void releasingKeepsTheEpoch() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        assertThat(held.release(new Outcome.Completed(), NOW).epoch()).isEqualTo(held.epoch());
    }

    @Test
    void statusAndLedgerTakeTheDeadlineFromTheSameOutcome() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        Outcome.FailedBeforeExecution outcome = held.couldNotStart("Forbidden", NOW, POLICY);
        assertThat(outcome.consecutiveFailures()).isEqualTo(1);
        Retry retry = held.release(outcome, NOW)
                .memory()
                .retry(FailureScope.TARGET, "cleanup")
                .orElseThrow();
        assertThat(retry.nextAllowed()).isEqualTo(outcome.nextAllowed());
        assertThat(retry.failures()).isEqualTo(1);
        assertThat(retry.last()).isEqualTo(new Past(execution(1), "cleanup", NOW, "Forbidden"));
    }

    @Test
    void theDeadlineComesOutTheSameWhenItIsComputedAgainAndDiffersBetweenExecutions() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        LedgerEntry.Held other = LedgerEntry.fresh(TARGET).acquire(holder(2));
        LedgerEntry.Held elsewhere =
                LedgerEntry.fresh(Target.parse("node/other")).acquire(holder(1));
        Instant deadline = held.couldNotStart("x", NOW, POLICY).nextAllowed();
        assertThat(held.couldNotStart("x", NOW, POLICY).nextAllowed()).isEqualTo(deadline);
        assertThat(other.couldNotStart("x", NOW, POLICY).nextAllowed()).isNotEqualTo(deadline);
        assertThat(elsewhere.couldNotStart("x", NOW, POLICY).nextAllowed()).isNotEqualTo(deadline);
    }

    @Test
    void theDeadlineHasWholeMillisecondsAndIsNotEarlierThanDrawn() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        Instant at = NOW.plusNanos(123_456_789);
        Duration drawn = POLICY.backoff()
                .delay(1, TARGET.canonical() + "#" + execution(1).uid());
        Instant deadline = held.couldNotStart("x", at, POLICY).nextAllowed();
        assertThat(deadline).isEqualTo(deadline.truncatedTo(ChronoUnit.MILLIS));
        assertThat(deadline).isBetween(at.plus(drawn), at.plus(drawn).plusNanos(999_999));
    }

    @Test
    void anExecutionThatWasWithdrawnLeavesNoTrace() {
        Story story = new Story();
        story.waitUntil(story.failsBefore("cleanup"));
        LedgerEntry before = story.entry();
        LedgerEntry.Held held = story.admitted("cleanup");
        assertThat(held.release(new Outcome.Withdrawn(), NOW).memory()).isEqualTo(before.memory());
    }

    @Test
    void aDeletionThatIsReportedLateDoesNotLiftTheBlockOfALostExecution() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        LedgerEntry lost = held.release(new Outcome.Lost(), NOW);
        assertThat(lost.forget(execution(1), POLICY)).isEqualTo(lost);
        assertThat(lost.clear(new Clearance("anna", "looked", NOW))
                        .orElseThrow()
                        .memory()
                        .isEmpty())
                .isTrue();
    }

    @Test
    void lossAndFailureDuringExecutionBlock() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        assertThat(held.release(new Outcome.Lost(), NOW).memory().block(FailureScope.TARGET, "x"))
                .hasValue(new Past(execution(1), "cleanup", NOW, "Lost", true));
        assertThat(held.release(new Outcome.FailedDuringExecution("OOMKilled"), NOW)
                        .memory()
                        .block(FailureScope.WORKFLOW, "cleanup"))
                .hasValue(new Past(execution(1), "cleanup", NOW, "OOMKilled"));
        assertThat(held.release(new Outcome.Lost(), NOW).memory().block(FailureScope.WORKFLOW, "x"))
                .isEmpty();
    }

    @Test
    void clearingTellsWhoAndWhyBumpsTheEpochAndLeavesCooldowns() {
        LedgerEntry entry = new Story(PolicyText.parse(Map.of("failure-scope", "workflow")))
                .completes("a")
                .failsDuring("b")
                .entry();
        Clearance clearance = new Clearance("anna", "disk was replaced", NOW);
        LedgerEntry cleared = entry.clear(clearance).orElseThrow();
        assertThat(cleared.clearance()).hasValue(clearance);
        assertThat(cleared.epoch()).isEqualTo(entry.epoch() + 1);
        assertThat(cleared.memory().hasFailures()).isFalse();
        assertThat(cleared.memory().completed("a")).isPresent();
        assertThat(cleared.clear(clearance)).isEmpty();
    }

    @Test
    void aHeldEntryStaysHeldWhenItIsCleared() {
        Story story = new Story(PolicyText.parse(Map.of("failure-scope", "workflow"))).failsDuring("a");
        LedgerEntry.Held held = story.admitted("b");
        LedgerEntry cleared = held.clear(new Clearance("anna", "fine", NOW)).orElseThrow();
        assertThat(cleared.heldBy(held.holder().execution())).isPresent();
        assertThat(cleared.isIdle(LATER)).isFalse();
    }

    @Test
    void aClearanceNeedsANameAndAReason() {
        assertThatThrownBy(() -> new Clearance(" ", "x", NOW))
                .hasMessage("a clearance needs the name of whoever gives it");
        assertThatThrownBy(() -> new Clearance("anna", "", NOW)).hasMessage("a clearance by anna needs a reason");
    }

    @Test
    void nothingToClearIsSaid() {
        assertThat(LedgerEntry.fresh(TARGET).clear(new Clearance("anna", "x", NOW)))
                .isEmpty();
        assertThat(new Story().completes("a").entry().clear(new Clearance("anna", "x", NOW)))
                .isEmpty();
    }

    @Test
    void cooldownsExpireFailuresDoNot() {
        Story story = new Story().completes("a");
        LedgerEntry before =
                story.wait(Duration.ofMinutes(5).minusNanos(1)).expired().entry();
        assertThat(before.isIdle(LATER)).isFalse();
        assertThat(story.wait(Duration.ofNanos(1)).expired().entry().isIdle(LATER))
                .isTrue();

        Story failing = new Story();
        failing.failsBefore("a");
        assertThat(failing.wait(Duration.ofDays(999)).expired().entry().isIdle(LATER))
                .isFalse();
        assertThat(new Story()
                        .failsDuring("a")
                        .wait(Duration.ofDays(999))
                        .expired()
                        .entry()
                        .isIdle(LATER))
                .isFalse();
    }

    @Test
    void aClearanceIsKeptForAsLongAsACooldown() {
        Story story = new Story().failsDuring("a").cleared();
        assertThat(story.wait(Duration.ofMinutes(5).minusNanos(1))
                        .expired()
                        .entry()
                        .clearance())
                .isPresent();
        assertThat(story.entry().isIdle(LATER)).isFalse();
        assertThat(story.wait(Duration.ofNanos(1)).expired().entry().isIdle(LATER))
                .isTrue();
    }

    @Test
    void theLastOfAWorkflowAndOfTheTargetIsWhatHappenedLatest() {
        Story story = new Story().completes("a").wait(Duration.ofSeconds(1)).completes("b");
        TargetMemory memory = story.entry().memory();
        assertThat(memory.last().orElseThrow().workflow()).isEqualTo("b");
        assertThat(memory.of("a").last().orElseThrow().execution().name()).isEqualTo("a-1");
        assertThat(memory.of("nothing").last()).isEmpty();
    }

    @Test
    void theLatestDeadlineAndTheLatestBlockSpeakForTheTarget() {
        Policy perWorkflow = PolicyText.parse(Map.of("failure-scope", "workflow"));
        Story story = new Story(perWorkflow);
        Instant first = story.failsBefore("z");
        story.wait(Duration.ofSeconds(50));
        Instant second = story.failsBefore("a");
        assertThat(second).isAfter(first);
        assertThat(story.entry()
                        .memory()
                        .retry(FailureScope.TARGET, "m")
                        .orElseThrow()
                        .nextAllowed())
                .isEqualTo(second);
        assertThat(story.entry()
                        .memory()
                        .retry(FailureScope.WORKFLOW, "z")
                        .orElseThrow()
                        .nextAllowed())
                .isEqualTo(first);

        Story blocked = new Story(perWorkflow)
                .failsDuring("z")
                .wait(Duration.ofSeconds(1))
                .failsDuring("a");
        assertThat(blocked.entry()
                        .memory()
                        .block(FailureScope.TARGET, "m")
                        .orElseThrow()
                        .workflow())
                .isEqualTo("a");
    }

    @Test
    void forgettingTakesOnlyWhatThatExecutionLeft() {
        Policy perWorkflow = PolicyText.parse(Map.of("failure-scope", "workflow"));
        Story story = new Story(perWorkflow).completes("a").failsDuring("b");
        story.failsBefore("c");
        LedgerEntry entry = story.entry();
        assertThat(entry.forget(execution(1), POLICY).memory().completed("a")).isEmpty();
        assertThat(entry.forget(execution(1), POLICY).memory().workflows()).containsOnlyKeys("b", "c");
        assertThat(entry.forget(execution(2), POLICY).memory().workflows()).containsOnlyKeys("a", "c");
        assertThat(entry.forget(execution(3), POLICY).memory().workflows()).containsOnlyKeys("a", "b");
        assertThat(entry.forget(execution(3), POLICY).memory().retry()).isEmpty();
        assertThat(entry.forget(execution(1), POLICY).memory().retry()).isPresent();
        Policy keep = PolicyText.parse(Map.of("reset-on-delete", "false"));
        assertThat(entry.forget(execution(1), keep)).isEqualTo(entry);
    }

    @Test
    void theCounterDoesNotOverflow() {
        Past past = new Past(execution(1), "cleanup", NOW, "x");
        Retry full = new Retry(Integer.MAX_VALUE, NOW, past);
        TargetMemory memory = new TargetMemory(
                Optional.of(full),
                new TreeMap<>(
                        Map.of("cleanup", new WorkflowMemory(Optional.of(full), Optional.empty(), Optional.empty()))));
        LedgerEntry.Held held = new LedgerEntry.Free(TARGET, 0, memory, Optional.empty()).acquire(holder(2));
        Outcome.FailedBeforeExecution outcome = held.couldNotStart("x", NOW, POLICY);
        assertThat(outcome.consecutiveFailures()).isEqualTo(Integer.MAX_VALUE);
        assertThat(outcome.nextAllowed()).isAfter(NOW.plus(Duration.ofMinutes(8)));
        TargetMemory after = held.release(outcome, NOW).memory();
        assertThat(after.failures(FailureScope.TARGET, "any")).isEqualTo(Integer.MAX_VALUE);
        assertThat(after.failures(FailureScope.WORKFLOW, "cleanup")).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void anEntryIsIdleOnlyWhenTheClockIsWellPastItsEpoch() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        LedgerEntry withdrawn = held.release(new Outcome.Withdrawn(), NOW);
        Instant safe = NOW.plus(LedgerEntry.CLOCKS_AGREE_WITHIN);
        assertThat(withdrawn.isIdle(safe)).isFalse();
        assertThat(withdrawn.isIdle(safe.plusMillis(1))).isTrue();
        // Made anew on a machine whose clock is a minute behind, it still gets a higher epoch.
        Instant behind = safe.plusMillis(1).minus(LedgerEntry.CLOCKS_AGREE_WITHIN);
        assertThat(LedgerEntry.fresh(TARGET)
                        .acquire(new Holder(execution(2), "cleanup", "run", "run", behind))
                        .epoch())
                .isGreaterThan(withdrawn.epoch());
    }

    @Test
    void aFailureThatAPersonClearedBeforeItWasReleasedIsNotCounted() {
        LedgerEntry.Held held = LedgerEntry.fresh(TARGET).acquire(holder(1));
        Outcome.FailedBeforeExecution first = held.couldNotStart("x", NOW, POLICY);
        LedgerEntry.Held again = held.release(first, NOW).acquire(holder(2));
        Outcome.FailedBeforeExecution second = again.couldNotStart("x", NOW.plusSeconds(90), POLICY);
        assertThat(second.consecutiveFailures()).isEqualTo(2);

        LedgerEntry.Held clearedAfter = (LedgerEntry.Held)
                again.clear(new Clearance("anna", "fixed", NOW.plusSeconds(90))).orElseThrow();
        assertThat(clearedAfter.release(second, NOW.plusSeconds(90)).memory().isEmpty())
                .isTrue();
        assertThat(clearedAfter
                        .release(new Outcome.FailedDuringExecution("TaskFailed"), NOW.plusSeconds(90))
                        .memory()
                        .block(FailureScope.TARGET, "x"))
                .describedAs("a block is never cleared before it is there to be looked at")
                .isPresent();

        LedgerEntry.Held clearedBefore = (LedgerEntry.Held)
                again.clear(new Clearance("anna", "fixed", NOW.plusSeconds(89))).orElseThrow();
        assertThat(clearedBefore.release(second, NOW.plusSeconds(90)).memory().failures(FailureScope.TARGET, "x"))
                .isEqualTo(1);
    }

    @Test
    void valuesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new ExecutionRef("ops", "", "u")).hasMessageContaining("both are needed");
        assertThatThrownBy(() -> new ExecutionRef("ops", "n", "")).hasMessageContaining("both are needed");
        assertThatThrownBy(() -> new Retry(0, NOW, new Past(execution(1), "a", NOW, "")))
                .hasMessage("a retry after 0 failures: there must be at least one");
        assertThat(new ExecutionRef("", "n", "u")).hasToString("n");
        assertThat(new ExecutionRef("ops", "n", "u")).hasToString("ops/n");
    }
}
