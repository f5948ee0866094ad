package dev.escapement.governor.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.Target;
import dev.escapement.governor.TargetScenario;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LedgerEntryTest {

    private static final Target TARGET = TargetScenario.TARGET;
    private static final Instant NOW = TargetScenario.START;
    private static final Instant LATER = NOW.plus(Duration.ofDays(9999));
    private static final Policy POLICY = Policy.DEFAULT;

    private static ExecutionRef execution(int number) {
        return new ExecutionRef("ops", "e-" + number, "uid-" + number);
    }

    private static Holder holder(int number) {
        return new Holder(execution(number), "cleanup", "run-" + number, "run-" + number, NOW);
    }

    @Test
    void initialEntryIsIdle() {
        assertThat(LedgerEntry.initial(TARGET).isIdle(NOW)).isTrue();
        assertThat(LedgerEntry.initial(TARGET).memory().endedExecutions()).isEmpty();
    }

    @Test
    void acquireRecordsExecutionAndRun() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        assertThat(held.holder()).isEqualTo(holder(1));
        assertThat(held.heldBy(execution(1))).hasValue(held);
        assertThat(held.heldBy(execution(2))).isEmpty();
        assertThat(LedgerEntry.initial(TARGET).heldBy(execution(1))).isEmpty();
        assertThat(held.isIdle(LATER)).isFalse();
    }

    @Test
    void sameNameWithOtherUidIsOtherExecution() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        assertThat(held.heldBy(new ExecutionRef("ops", "e-1", "uid-later"))).isEmpty();
    }

    @Test
    void epochGrowsWithEveryAcquisitionAfterRemoval() {
        LedgerEntry.Held first = LedgerEntry.initial(TARGET).acquire(holder(1));
        LedgerEntry.Held second =
                first.release(new ExecutionOutcome.Completed(), NOW).acquire(holder(2));
        assertThat(second.epoch()).isEqualTo(first.epoch() + 1);

        Instant later = NOW.plus(Duration.ofMinutes(5));
        LedgerEntry.Held anew =
                LedgerEntry.initial(TARGET).acquire(new Holder(execution(3), "cleanup", "run", "run", later));
        assertThat(anew.epoch()).isGreaterThan(second.epoch());
    }

    @Test
    void releaseKeepsEpoch() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        assertThat(held.release(new ExecutionOutcome.Completed(), NOW).epoch()).isEqualTo(held.epoch());
    }

    @Test
    void releaseStoresDeadlineOfOutcome() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        ExecutionOutcome.FailedBeforeExecution outcome = held.failedStartOutcome("Forbidden", NOW, POLICY);
        assertThat(outcome.consecutiveFailures()).isEqualTo(1);
        FailureStreak retry = held.release(outcome, NOW)
                .memory()
                .failureStreak(FailureScope.TARGET, "cleanup")
                .orElseThrow();
        assertThat(retry.nextAllowed()).isEqualTo(outcome.nextAllowed());
        assertThat(retry.failures()).isEqualTo(1);
        assertThat(retry.last()).isEqualTo(new EndedExecution(execution(1), "cleanup", NOW, "Forbidden", false));
    }

    @Test
    void deadlineIsDeterministicPerExecution() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        LedgerEntry.Held other = LedgerEntry.initial(TARGET).acquire(holder(2));
        LedgerEntry.Held elsewhere =
                LedgerEntry.initial(Target.parse("node/other")).acquire(holder(1));
        Instant deadline =
                held.failedStartOutcome("x", NOW, POLICY).nextAllowed().orElseThrow();
        assertThat(held.failedStartOutcome("x", NOW, POLICY).nextAllowed()).hasValue(deadline);
        assertThat(other.failedStartOutcome("x", NOW, POLICY).nextAllowed().orElseThrow())
                .isNotEqualTo(deadline);
        assertThat(elsewhere.failedStartOutcome("x", NOW, POLICY).nextAllowed().orElseThrow())
                .isNotEqualTo(deadline);
    }

    @Test
    void deadlineIsRoundedUpToMillis() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        Instant at = NOW.plusNanos(123_456_789);
        Duration drawn = POLICY.backoff()
                .delay(1, TARGET.canonical() + "#" + execution(1).uid());
        Instant deadline =
                held.failedStartOutcome("x", at, POLICY).nextAllowed().orElseThrow();
        assertThat(deadline).isEqualTo(deadline.truncatedTo(ChronoUnit.MILLIS));
        assertThat(deadline).isBetween(at.plus(drawn), at.plus(drawn).plusNanos(999_999));
    }

    @Test
    void releaseRejectsOutcomeOfOtherInstant() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        ExecutionOutcome outcome = held.failedStartOutcome("x", NOW, POLICY);
        assertThatThrownBy(() -> held.release(outcome, LATER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("execution ops/e-1 failed at %s, but is released at %s: both must be equal"
                        .formatted(NOW, LATER));
    }

    @Test
    void failureThatReachesLimitHasNoDeadline() {
        TargetScenario story = new TargetScenario(POLICY.withMaxConsecutiveFailures(2));
        assertThat(story.failBeforeExecution("a")).isAfter(story.now());
        story.advance(Duration.ofMinutes(2)).failBeforeExecution("a");
        FailureStreak streak = story.entry().memory().failureStreak().orElseThrow();
        assertThat(streak.failures()).isEqualTo(2);
        assertThat(streak.nextAllowed()).isEmpty();
        assertThat(story.entry().memory().forWorkflow("a").failureStreak()).hasValue(streak);
    }

    @Test
    void deadlineAheadStaysWhenOtherWorkflowReachesItsLimit() {
        TargetScenario story = new TargetScenario(
                POLICY.withFailureScope(FailureScope.WORKFLOW).withMaxConsecutiveFailures(2));
        story.advanceTo(story.failBeforeExecution("a"));
        Instant ahead = story.failBeforeExecution("b");
        story.failBeforeExecution("a");
        assertThat(story.entry().memory().failureStreak().orElseThrow().nextAllowed())
                .hasValue(ahead);
        assertThat(story.entry()
                        .memory()
                        .forWorkflow("a")
                        .failureStreak()
                        .orElseThrow()
                        .nextAllowed())
                .isEmpty();
    }

    @Test
    void withdrawnExecutionLeavesNoTrace() {
        TargetScenario story = new TargetScenario();
        story.advanceTo(story.failBeforeExecution("cleanup"));
        LedgerEntry before = story.entry();
        LedgerEntry.Held held = story.assertAdmitted("cleanup");
        assertThat(held.release(new ExecutionOutcome.Withdrawn(), NOW).memory()).isEqualTo(before.memory());
    }

    @Test
    void lateDeletionDoesNotLiftBlockOfLostExecution() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        LedgerEntry lost = held.release(new ExecutionOutcome.Lost(), NOW);
        assertThat(lost.forget(execution(1), POLICY)).isEqualTo(lost);
        assertThat(lost.clear(new Clearance("anna", "looked", NOW))
                        .orElseThrow()
                        .memory()
                        .isEmpty())
                .isTrue();
    }

    @Test
    void lostAndExecutionFailureBlock() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        assertThat(held.release(new ExecutionOutcome.Lost(), NOW).memory().block(FailureScope.TARGET, "x"))
                .hasValue(new EndedExecution(execution(1), "cleanup", NOW, "Lost", true));
        assertThat(held.release(new ExecutionOutcome.FailedDuringExecution("OOMKilled"), NOW)
                        .memory()
                        .block(FailureScope.WORKFLOW, "cleanup"))
                .hasValue(new EndedExecution(execution(1), "cleanup", NOW, "OOMKilled", false));
        assertThat(held.release(new ExecutionOutcome.Lost(), NOW).memory().block(FailureScope.WORKFLOW, "x"))
                .isEmpty();
    }

    @Test
    void clearRecordsActorBumpsEpochAndKeepsCooldowns() {
        LedgerEntry entry = new TargetScenario(Policy.DEFAULT.withBlockScope(FailureScope.WORKFLOW))
                .complete("a")
                .failDuringExecution("b")
                .entry();
        Clearance clearance = new Clearance("anna", "disk was replaced", NOW);
        LedgerEntry cleared = entry.clear(clearance).orElseThrow();
        assertThat(cleared.clearance()).hasValue(clearance);
        assertThat(cleared.epoch()).isEqualTo(entry.epoch() + 1);
        assertThat(cleared.memory().hasFailures()).isFalse();
        assertThat(cleared.memory().lastCompleted("a")).isPresent();
        assertThat(cleared.clear(clearance)).isEmpty();
    }

    @Test
    void clearKeepsHeldEntryHeld() {
        TargetScenario story =
                new TargetScenario(Policy.DEFAULT.withBlockScope(FailureScope.WORKFLOW)).failDuringExecution("a");
        LedgerEntry.Held held = story.assertAdmitted("b");
        LedgerEntry cleared = held.clear(new Clearance("anna", "fine", NOW)).orElseThrow();
        assertThat(cleared.heldBy(held.holder().execution())).isPresent();
        assertThat(cleared.isIdle(LATER)).isFalse();
    }

    @Test
    void clearanceRequiresActorAndReason() {
        assertThatThrownBy(() -> new Clearance(" ", "x", NOW)).hasMessage("a clearance needs the name of its actor");
        assertThatThrownBy(() -> new Clearance("anna", "", NOW)).hasMessage("a clearance by anna needs a reason");
    }

    @Test
    void clearReturnsEmptyWithoutFailures() {
        assertThat(LedgerEntry.initial(TARGET).clear(new Clearance("anna", "x", NOW)))
                .isEmpty();
        assertThat(new TargetScenario().complete("a").entry().clear(new Clearance("anna", "x", NOW)))
                .isEmpty();
    }

    @Test
    void expireDropsCooldownsButKeepsFailures() {
        TargetScenario story = new TargetScenario().complete("a");
        LedgerEntry before =
                story.advance(Duration.ofMinutes(5).minusNanos(1)).expire().entry();
        assertThat(before.isIdle(LATER)).isFalse();
        assertThat(story.advance(Duration.ofNanos(1)).expire().entry().isIdle(LATER))
                .isTrue();

        TargetScenario failing = new TargetScenario();
        failing.failBeforeExecution("a");
        assertThat(failing.advance(Duration.ofDays(999)).expire().entry().isIdle(LATER))
                .isFalse();
        assertThat(new TargetScenario()
                        .failDuringExecution("a")
                        .advance(Duration.ofDays(999))
                        .expire()
                        .entry()
                        .isIdle(LATER))
                .isFalse();
    }

    @Test
    void clearanceExpiresWithCooldown() {
        TargetScenario story = new TargetScenario().failDuringExecution("a").clear();
        assertThat(story.advance(Duration.ofMinutes(5).minusNanos(1))
                        .expire()
                        .entry()
                        .clearance())
                .isPresent();
        assertThat(story.entry().isIdle(LATER)).isFalse();
        assertThat(story.advance(Duration.ofNanos(1)).expire().entry().isIdle(LATER))
                .isTrue();
    }

    @Test
    void remembersExecutionsOfTargetAndWorkflows() {
        TargetScenario story = new TargetScenario()
                .complete("a")
                .advance(Duration.ofSeconds(1))
                .complete("b");
        story.advanceTo(story.failBeforeExecution("c")).failDuringExecution("d");
        TargetMemory memory = story.entry().memory();
        assertThat(memory.endedExecutions())
                .extracting(past -> past.execution().name())
                .containsExactly("c-3", "a-1", "b-2", "c-3", "d-4");
        assertThat(memory.forWorkflow("a").endedExecutions())
                .extracting(past -> past.execution().name())
                .containsExactly("a-1");
        assertThat(memory.forWorkflow("nothing").endedExecutions()).isEmpty();
    }

    @Test
    void targetReportsLatestDeadlineAndBlock() {
        Policy perWorkflow =
                Policy.DEFAULT.withFailureScope(FailureScope.WORKFLOW).withBlockScope(FailureScope.WORKFLOW);
        TargetScenario story = new TargetScenario(perWorkflow);
        Instant first = story.failBeforeExecution("z");
        story.advance(Duration.ofSeconds(50));
        Instant second = story.failBeforeExecution("a");
        assertThat(second).isAfter(first);
        assertThat(story.entry()
                        .memory()
                        .failureStreak(FailureScope.TARGET, "m")
                        .orElseThrow()
                        .nextAllowed())
                .hasValue(second);
        assertThat(story.entry()
                        .memory()
                        .failureStreak(FailureScope.WORKFLOW, "z")
                        .orElseThrow()
                        .nextAllowed())
                .hasValue(first);

        TargetScenario blocked = new TargetScenario(perWorkflow)
                .failDuringExecution("z")
                .advance(Duration.ofSeconds(1))
                .failDuringExecution("a");
        assertThat(blocked.entry()
                        .memory()
                        .block(FailureScope.TARGET, "m")
                        .orElseThrow()
                        .workflow())
                .isEqualTo("a");
    }

    @Test
    void forgetRemovesOnlyThatExecution() {
        Policy perWorkflow = Policy.DEFAULT.withBlockScope(FailureScope.WORKFLOW);
        TargetScenario story = new TargetScenario(perWorkflow).complete("a").failDuringExecution("b");
        story.failBeforeExecution("c");
        LedgerEntry entry = story.entry();
        assertThat(entry.forget(execution(1), POLICY).memory().lastCompleted("a"))
                .isEmpty();
        assertThat(entry.forget(execution(1), POLICY).memory().workflows()).containsOnlyKeys("b", "c");
        assertThat(entry.forget(execution(2), POLICY).memory().workflows()).containsOnlyKeys("a", "c");
        assertThat(entry.forget(execution(3), POLICY).memory().workflows()).containsOnlyKeys("a", "b");
        assertThat(entry.forget(execution(3), POLICY).memory().failureStreak()).isEmpty();
        assertThat(entry.forget(execution(1), POLICY).memory().failureStreak()).isPresent();
        Policy keep = PolicyText.parse(Map.of("reset-on-delete", "false"));
        assertThat(entry.forget(execution(1), keep)).isEqualTo(entry);
    }

    @Test
    void failureCountDoesNotOverflow() {
        EndedExecution past = new EndedExecution(execution(1), "cleanup", NOW, "x", false);
        FailureStreak full = new FailureStreak(Integer.MAX_VALUE, Optional.of(NOW), past);
        TargetMemory memory = new TargetMemory(
                Optional.of(full),
                new TreeMap<>(Map.of(
                        "cleanup",
                        new WorkflowMemory(Optional.of(full), Optional.of(full), Optional.empty(), Optional.empty()))),
                Map.of());
        LedgerEntry.Held held = new LedgerEntry.Free(TARGET, 0, memory, Optional.empty()).acquire(holder(2));
        ExecutionOutcome.FailedBeforeExecution outcome = held.failedStartOutcome("x", NOW, POLICY);
        assertThat(outcome.consecutiveFailures()).isEqualTo(Integer.MAX_VALUE);
        assertThat(outcome.nextAllowed()).isEmpty();
        TargetMemory after = held.release(outcome, NOW).memory();
        assertThat(after.consecutiveFailures(FailureScope.TARGET, "any")).isEqualTo(Integer.MAX_VALUE);
        assertThat(after.consecutiveFailures(FailureScope.WORKFLOW, "cleanup")).isEqualTo(Integer.MAX_VALUE);
        TargetMemory invalid = held.recordInvalidRequest(execution(3), "cleanup", "x", NOW, POLICY)
                .memory();
        assertThat(invalid.invalidRequests("cleanup").orElseThrow().failures()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void keepsWhatNewerVersionRemembers() {
        Map<String, Object> unknown = Map.of("budget", 2);
        TargetMemory memory = new TargetMemory(Optional.empty(), new TreeMap<>(), unknown);
        LedgerEntry.Free free = new LedgerEntry.Free(TARGET, 0, memory, Optional.empty());
        assertThat(free.isIdle(LATER))
                .describedAs("kept for ever otherwise: this version cannot know when they end")
                .isTrue();
        LedgerEntry.Held held = free.acquire(holder(1));
        LedgerEntry blocked = held.release(new ExecutionOutcome.FailedDuringExecution("TaskFailed"), NOW);
        assertThat(held.release(new ExecutionOutcome.Completed(), NOW)
                        .expire(POLICY, LATER)
                        .memory())
                .isEqualTo(memory);
        assertThat(held.release(held.failedStartOutcome("x", NOW, POLICY), NOW)
                        .forget(execution(1), POLICY)
                        .memory())
                .isEqualTo(memory);
        assertThat(blocked.clear(new Clearance("anna", "fixed", NOW))
                        .orElseThrow()
                        .memory())
                .isEqualTo(memory);
    }

    @Test
    void isIdleOnlyWhenClockIsPastEpochBySkew() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        LedgerEntry withdrawn = held.release(new ExecutionOutcome.Withdrawn(), NOW);
        Instant safe = NOW.plus(LedgerEntry.MAX_CLOCK_SKEW);
        assertThat(withdrawn.isIdle(safe)).isFalse();
        assertThat(withdrawn.isIdle(safe.plusMillis(1))).isTrue();
        // Created again on a machine whose clock is a minute behind, it still gets a higher epoch.
        Instant behind = safe.plusMillis(1).minus(LedgerEntry.MAX_CLOCK_SKEW);
        assertThat(LedgerEntry.initial(TARGET)
                        .acquire(new Holder(execution(2), "cleanup", "run", "run", behind))
                        .epoch())
                .isGreaterThan(withdrawn.epoch());
    }

    @Test
    void failureClearedBeforeReleaseIsNotCounted() {
        LedgerEntry.Held held = LedgerEntry.initial(TARGET).acquire(holder(1));
        ExecutionOutcome.FailedBeforeExecution first = held.failedStartOutcome("x", NOW, POLICY);
        LedgerEntry.Held again = held.release(first, NOW).acquire(holder(2));
        ExecutionOutcome.FailedBeforeExecution second = again.failedStartOutcome("x", NOW.plusSeconds(90), POLICY);
        assertThat(second.consecutiveFailures()).isEqualTo(2);

        LedgerEntry.Held clearedAfter = (LedgerEntry.Held)
                again.clear(new Clearance("anna", "fixed", NOW.plusSeconds(90))).orElseThrow();
        assertThat(clearedAfter.release(second, NOW.plusSeconds(90)).memory().isEmpty())
                .isTrue();
        assertThat(clearedAfter
                        .release(new ExecutionOutcome.FailedDuringExecution("TaskFailed"), NOW.plusSeconds(90))
                        .memory()
                        .block(FailureScope.TARGET, "x"))
                .describedAs("a clearance does not apply to a later block")
                .isPresent();

        LedgerEntry.Held clearedBefore = (LedgerEntry.Held)
                again.clear(new Clearance("anna", "fixed", NOW.plusSeconds(89))).orElseThrow();
        assertThat(clearedBefore
                        .release(second, NOW.plusSeconds(90))
                        .memory()
                        .consecutiveFailures(FailureScope.TARGET, "x"))
                .isEqualTo(1);
    }

    @Test
    void rejectsInvalidValues() {
        assertThatThrownBy(() -> new ExecutionRef("ops", "", "u")).hasMessageContaining("both are needed");
        assertThatThrownBy(() -> new ExecutionRef("ops", "n", "")).hasMessageContaining("both are needed");
        assertThatThrownBy(() ->
                        new FailureStreak(0, Optional.of(NOW), new EndedExecution(execution(1), "a", NOW, "", false)))
                .hasMessage("failure streak of 0: it must have at least 1 failure");
        assertThat(new ExecutionRef("", "n", "u")).hasToString("n");
        assertThat(new ExecutionRef("ops", "n", "u")).hasToString("ops/n");
    }
}
