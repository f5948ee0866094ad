package dev.escapement.governor.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.Target;
import dev.escapement.governor.TargetScenario;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GateTest {

    @Test
    void g1SkipsWhileTargetIsHeld() {
        TargetScenario story = new TargetScenario();
        story.assertAdmitted("cleanup");
        GateDecision.Skip skip = story.advance(Duration.ofSeconds(5)).assertSkipped("reboot", SkipReason.ResourceBusy);
        assertThat(skip.obstacle().holder().orElseThrow().execution().name()).isEqualTo("cleanup-1");
        assertThat(skip.obstacle().endedExecution()).isEmpty();
        assertThat(skip.allowedAt()).isEmpty();
        assertThat(skip.message())
                .isEqualTo("node/worker-node-1 is held by execution ops/cleanup-1 (workflow cleanup) since "
                        + "2026-11-15T12:00:00Z; one execution at a time runs on a target");
        assertThat(skip.explanation().describeChange()).isEqualTo("when execution ops/cleanup-1 ends");
        assertThat(skip.reason().isTemporary()).isTrue();
    }

    @Test
    void admitsCurrentHolderAgain() {
        TargetScenario story = new TargetScenario();
        LedgerEntry.Held held = story.assertAdmitted("cleanup");
        assertThat(Gate.decide(TargetScenario.request("cleanup", 1), held, Policy.DEFAULT, story.now()))
                .isInstanceOf(GateDecision.Admit.class);
    }

    @Test
    void g2SkipsAfterExecutionFailure() {
        TargetScenario story = new TargetScenario().failDuringExecution("cleanup");
        GateDecision.Skip skip =
                story.advance(Duration.ofDays(30)).assertSkipped("cleanup", SkipReason.PreviousExecutionFailed);
        assertThat(skip.obstacle().endedExecution().orElseThrow().execution().name())
                .isEqualTo("cleanup-1");
        assertThat(skip.obstacle().holder()).isEmpty();
        assertThat(skip.allowedAt()).isEmpty();
        assertThat(skip.message())
                .isEqualTo("execution ops/cleanup-1 (workflow cleanup) ran on node/worker-node-1 and failed at "
                        + "2026-11-15T12:00:00Z (TaskFailed), so node/worker-node-1 may be half changed; nothing runs on "
                        + "it until a person has looked and cleared it");
        assertThat(skip.explanation().describeChange()).isEqualTo("when a person clears the target");
        assertThat(skip.reason().isTemporary()).isFalse();
    }

    @Test
    void g3SkipsAfterTooManyFailedStarts() {
        TargetScenario story = new TargetScenario(PolicyText.parse(Map.of("max-consecutive-failures", "2")));
        story.advanceTo(story.failBeforeExecution("cleanup"));
        story.failBeforeExecution("cleanup");
        GateDecision.Skip skip = story.assertSkipped("cleanup", SkipReason.ExhaustedRetries);
        assertThat(skip.obstacle().endedExecution().orElseThrow().execution().name())
                .isEqualTo("cleanup-2");
        assertThat(skip.allowedAt()).isEmpty();
        assertThat(skip.message())
                .isEqualTo("2 executions in a row could not start on node/worker-node-1, the last one ops/cleanup-2 at "
                        + story.now()
                        + " (ImagePullBackOff), and the limit is 2; nothing runs on it until a person has removed the "
                        + "cause and cleared it");
        assertThat(skip.reason().isTemporary()).isFalse();
    }

    @Test
    void g4SkipsDuringBackoff() {
        TargetScenario story = new TargetScenario();
        Instant deadline = story.failBeforeExecution("cleanup");
        GateDecision.Skip skip =
                story.advance(Duration.ofSeconds(20)).assertSkipped("reboot", SkipReason.RecentlyRemediated);
        assertThat(skip.check()).isEqualTo(GateCheck.BACKOFF_IS_OVER);
        assertThat(skip.obstacle().endedExecution().orElseThrow().execution().name())
                .isEqualTo("cleanup-1");
        assertThat(skip.allowedAt()).hasValue(deadline);
        assertThat(skip.message())
                .startsWith("execution ops/cleanup-1 could not start on node/worker-node-1 at 2026-11-15T12:00:00Z "
                        + "(ImagePullBackOff), failure 1 in a row; it may run again in ")
                .endsWith(", at " + deadline);
        assertThat(skip.explanation().describeChange()).isEqualTo("by itself, at " + deadline);
    }

    @Test
    void g5SkipsDuringCooldown() {
        TargetScenario story = new TargetScenario()
                .complete("cleanup")
                .advance(Duration.ofSeconds(100).plusNanos(1));
        GateDecision.Skip skip = story.assertSkipped("cleanup", SkipReason.RecentlyRemediated);
        assertThat(skip.check()).isEqualTo(GateCheck.COOLDOWN_IS_OVER);
        assertThat(skip.allowedAt())
                .hasValue(story.now().plus(Duration.ofSeconds(200).minusNanos(1)));
        assertThat(skip.message())
                .isEqualTo("workflow cleanup completed on node/worker-node-1 at 2026-11-15T12:00:00Z (execution "
                        + "ops/cleanup-1); it may run again in 3m20s, at 2026-11-15T12:05:00Z");
    }

    @Test
    void skipSpeaksOfObstacleThatEndsLast() {
        TargetScenario story = new TargetScenario().complete("cleanup");
        Instant backoff = story.advance(Duration.ofSeconds(1)).failBeforeExecution("reboot");
        Instant cooldown = TargetScenario.START.plus(Duration.ofMinutes(5));
        assertThat(backoff).isBefore(cooldown);
        GateDecision.Skip skip = story.assertSkipped("cleanup", SkipReason.RecentlyRemediated);
        assertThat(skip.check()).isEqualTo(GateCheck.COOLDOWN_IS_OVER);
        assertThat(skip.message()).startsWith("workflow cleanup completed on ").endsWith(", at " + cooldown);
        assertThat(skip.obstacle().endedExecution().orElseThrow().workflow()).isEqualTo("cleanup");
        assertThat(skip.allowedAt()).hasValue(cooldown);

        TargetScenario longer =
                new TargetScenario(Policy.DEFAULT.withCooldown(Duration.ofSeconds(30))).complete("cleanup");
        Instant late = longer.failBeforeExecution("reboot");
        GateDecision.Skip backingOff = longer.assertSkipped("cleanup", SkipReason.RecentlyRemediated);
        assertThat(backingOff.check()).isEqualTo(GateCheck.BACKOFF_IS_OVER);
        assertThat(backingOff.message())
                .startsWith("execution ops/reboot-2 could not start")
                .endsWith(", at " + late);
        assertThat(backingOff.allowedAt()).hasValue(late);
    }

    @Test
    void retryConditionTellsBusyFromBlocked() {
        TargetScenario busy = new TargetScenario();
        LedgerEntry.Held held = busy.assertAdmitted("a");
        RetryCondition whenReleased =
                busy.assertSkipped("b", SkipReason.ResourceBusy).retryCondition();
        assertThat(whenReleased.holder()).hasValue(held.holder());
        assertThat(whenReleased.needsClearance()).isFalse();
        assertThat(whenReleased.allowedAt()).isEmpty();

        TargetScenario blocked = new TargetScenario().failDuringExecution("a");
        RetryCondition whenCleared =
                blocked.assertSkipped("b", SkipReason.PreviousExecutionFailed).retryCondition();
        assertThat(whenCleared.holder()).isEmpty();
        assertThat(whenCleared.needsClearance()).isTrue();
        assertThat(whenCleared.allowedAt()).isEmpty();
        assertThat(new TargetScenario().decide("a").explanation().retryCondition())
                .isEqualTo(RetryCondition.NONE);
    }

    @Test
    void admittedExecutionAcquiresEntryThatWasDecidedAbout() {
        TargetScenario story = new TargetScenario();
        GateDecision.Admit admit = (GateDecision.Admit) story.decide("a");
        LedgerEntry.Held held = admit.acquire("run-uid", "run-name");
        assertThat(held.holder())
                .isEqualTo(new Holder(admit.input().request().execution(), "a", "run-uid", "run-name", story.now()));
        GateDecision.Admit again =
                (GateDecision.Admit) Gate.decide(admit.input().request(), held, Policy.DEFAULT, story.now());
        assertThatThrownBy(() -> again.acquire("run-uid", "run-name"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("execution ops/a-1 already holds node/worker-node-1");
    }

    @Test
    void admitsWithoutObstacle() {
        GateDecision decision = new TargetScenario().decide("cleanup");
        assertThat(decision).isInstanceOf(GateDecision.Admit.class);
        assertThat(decision.explanation().admits()).isTrue();
        assertThat(decision.explanation().allowedAt()).hasValue(TargetScenario.START);
        assertThat(decision.explanation().describeChange()).isEqualTo("it may run now");
    }

    @Test
    void sameTargetConflictsAcrossRequestNamespaces() {
        TargetScenario story = new TargetScenario();
        LedgerEntry.Held held = story.assertAdmitted("cleanup");
        GateRequest elsewhere = new GateRequest(
                new ExecutionRef("another-namespace", "cleanup-1", "uid-77"),
                "cleanup",
                Target.parse("Node/worker-node-1"));
        assertThat(Gate.decide(elsewhere, held, Policy.DEFAULT, story.now())).isInstanceOf(GateDecision.Skip.class);
    }

    @Test
    void firstFailingCheckDecides() {
        // Held, blocked, exhausted, backing off and cooling down, all at once.
        Policy strict = PolicyText.parse(Map.of("max-consecutive-failures", "1", "failure-scope", "workflow"));
        TargetScenario story = new TargetScenario(strict).complete("a");
        story.failBeforeExecution("b");
        story.failDuringExecution("c");
        story.withPolicy(Policy.DEFAULT);
        story.assertSkipped("a", SkipReason.PreviousExecutionFailed);

        Policy lenient = PolicyText.parse(Map.of("max-consecutive-failures", "1"));
        TargetScenario exhausted = new TargetScenario(lenient).complete("a");
        exhausted.failBeforeExecution("b");
        exhausted.assertSkipped("a", SkipReason.ExhaustedRetries);
    }

    @Test
    void explanationListsEveryCheckWithInputs() {
        TargetScenario story = new TargetScenario().complete("a");
        Instant deadline = story.failBeforeExecution("b");
        GateExplanation explanation = story.decide("a").explanation();
        assertThat(explanation.checks())
                .extracting(GateExplanation.CheckResult::check)
                .containsExactlyElementsOf(EnumSet.range(GateCheck.TARGET_IS_FREE, GateCheck.COOLDOWN_IS_OVER));
        assertThat(explanation.checks())
                .extracting(GateExplanation.CheckResult::inputs)
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

        TargetScenario other = new TargetScenario().failDuringExecution("a");
        assertThat(other.decide("b").explanation().checks().get(1).inputs())
                .isEqualTo("ops/a-1 of workflow a failed at 2026-11-15T12:00:00Z (TaskFailed)");
        assertThat(other.decide("b").explanation().checks().get(4).inputs()).isEqualTo("no recent success of b");
        assertThat(other.decide("b").explanation().checks().get(3).inputs()).isEqualTo("no failed start");
    }

    @Test
    void explanationNamesEveryRequiredCondition() {
        Policy perWorkflow = Policy.DEFAULT.withBlockScope(FailureScope.WORKFLOW);
        TargetScenario story = new TargetScenario(perWorkflow).failDuringExecution("a");
        story.assertAdmitted("b");
        assertThat(story.decide("a").explanation().describeChange())
                .isEqualTo("when execution ops/b-2 ends, and a person clears the target");
        assertThat(story.assertSkipped("b", SkipReason.ResourceBusy).message()).contains("ops/b-2");
        assertThat(story.decide("a").explanation().checks().get(0).inputs())
                .isEqualTo("held by ops/b-2 (workflow b) since 2026-11-15T12:00:00Z");
    }

    @Test
    void explanationNamesDeadlinesBesideConditions() {
        TargetScenario story = new TargetScenario().complete("a");
        story.assertAdmitted("b");
        assertThat(story.decide("a").explanation().describeChange())
                .isEqualTo("when execution ops/b-2 ends, and it is 2026-11-15T12:05:00Z");
    }

    @Test
    void blockMessageNamesWorkflowInWorkflowScope() {
        TargetScenario blocked = new TargetScenario(Policy.DEFAULT.withBlockScope(FailureScope.WORKFLOW));
        blocked.failDuringExecution("a");
        assertThat(blocked.assertSkipped("a", SkipReason.PreviousExecutionFailed)
                        .message())
                .endsWith("workflow a no longer runs on it until a person has looked and cleared it");
        blocked.assertAdmitted("c");
        TargetScenario exhausted = new TargetScenario(
                Policy.DEFAULT.withFailureScope(FailureScope.WORKFLOW).withMaxConsecutiveFailures(1));
        exhausted.failBeforeExecution("b");
        assertThat(exhausted.assertSkipped("b", SkipReason.ExhaustedRetries).message())
                .endsWith("workflow b no longer runs on it until a person has removed the cause and cleared it");
        exhausted.assertAdmitted("c");
    }

    @Test
    void everyCheckHasQuestion() {
        for (GateCheck check : GateCheck.values()) {
            assertThat(check.question()).endsWith("?");
        }
    }

    @Test
    void rejectsEntryOfOtherTarget() {
        LedgerEntry other = LedgerEntry.initial(Target.parse("node/other"));
        assertThatThrownBy(
                        () -> Gate.decide(TargetScenario.request("a", 1), other, Policy.DEFAULT, TargetScenario.START))
                .hasMessage("the request is for target node/worker-node-1, the ledger entry is of target node/other");
    }

    @Test
    void failureInFutureKeepsFullBackoff() {
        // The deadline of a machine whose clock is ahead remains in effect.
        TargetScenario story = new TargetScenario();
        LedgerEntry.Held held = story.assertAdmitted("a");
        Instant ahead = TargetScenario.START.plusSeconds(30);
        LedgerEntry entry = held.release(new ExecutionOutcome.Completed(), ahead);
        GateDecision decision =
                Gate.decide(TargetScenario.request("a", 9), entry, Policy.DEFAULT, TargetScenario.START);
        assertThat(((GateDecision.Skip) decision).allowedAt()).hasValue(ahead.plus(Duration.ofMinutes(5)));
    }
}
