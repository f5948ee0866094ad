package dev.escapement.governor.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.TargetScenario;
import dev.escapement.governor.gate.GateDecision.Admit;
import dev.escapement.governor.gate.GateDecision.Skip;
import dev.escapement.governor.gate.GateDecision.Wait;
import dev.escapement.governor.gate.GateRequest.WaitTerms;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A request that may wait. */
class GateWaitTest {

    private static final Instant START = TargetScenario.START;
    private static final Instant DEADLINE = START.plus(Duration.ofMinutes(10));

    private final TargetScenario story = new TargetScenario();
    private Policy policy = Policy.DEFAULT;

    /** A request of the given age: a lower number is older. */
    private static GateRequest waiting(String workflow, int number) {
        return waiting(workflow, number, DEADLINE, false);
    }

    private static GateRequest waiting(String workflow, int number, Instant until, boolean queued) {
        GateRequest request = TargetScenario.request(workflow, number);
        return new GateRequest(
                request.execution(),
                workflow,
                request.target(),
                START.plusSeconds(number),
                Optional.of(new WaitTerms(until, queued)));
    }

    private GateDecision decide(GateRequest request, GateRequest... queue) {
        return Gate.decide(new GateInput(request, story.entry(), policy, story.now(), List.of(queue)));
    }

    private Wait decideWait(GateRequest request, GateRequest... queue) {
        GateDecision decision = decide(request, queue);
        assertThat(decision).isInstanceOf(Wait.class);
        return (Wait) decision;
    }

    private void assertSkipped(SkipReason reason, GateRequest request, GateRequest... queue) {
        GateDecision decision = decide(request, queue);
        assertThat(decision).isInstanceOf(Skip.class);
        assertThat(((Skip) decision).reason()).isEqualTo(reason);
    }

    @Test
    void waitsForHolderUntilItsDeadline() {
        story.assertAdmitted("reboot");
        Wait wait = decideWait(waiting("clean", 101));
        assertThat(wait.cause().reason()).isEqualTo(SkipReason.ResourceBusy);
        assertThat(wait.until()).isEqualTo(DEADLINE);
        assertThat(wait.decideAgainAt()).isEqualTo(DEADLINE);
        assertThat(wait.message()).contains(DEADLINE.toString()).contains("reboot-1");
    }

    @Test
    void waitsForEndOfCooldownAndBackoff() {
        story.complete("clean");
        assertThat(decideWait(waiting("clean", 101)).decideAgainAt()).isEqualTo(START.plus(Duration.ofMinutes(5)));
        assertThat(decide(waiting("reboot", 102))).isInstanceOf(Admit.class);
        Instant nextAllowed = story.failBeforeExecution("reboot");
        assertThat(decideWait(waiting("scale", 103)).decideAgainAt()).isEqualTo(nextAllowed);
    }

    @Test
    void isAdmittedAtEndOfCooldownAndNotBefore() {
        story.complete("clean").advance(Duration.ofMinutes(5).minusNanos(1));
        assertThat(decide(waiting("clean", 101))).isInstanceOf(Wait.class);
        story.advance(Duration.ofNanos(1));
        assertThat(decide(waiting("clean", 101))).isInstanceOf(Admit.class);
    }

    @Test
    void deadlineThatIsExactlyNowHasPassed() {
        story.assertAdmitted("reboot");
        story.advanceTo(DEADLINE.minusNanos(1));
        decideWait(waiting("clean", 101));
        story.advanceTo(DEADLINE);
        assertSkipped(SkipReason.ResourceBusy, waiting("clean", 101));
    }

    @Test
    void isNotAdmittedAfterItsDeadlineAlthoughTargetIsFree() {
        story.advanceTo(DEADLINE);
        assertSkipped(SkipReason.WaitExpired, waiting("clean", 101));
        assertThat(((Skip) decide(waiting("clean", 101))).allowedAt()).hasValue(DEADLINE);
    }

    @Test
    void doesNotWaitForWhatTakesAPerson() {
        story.failDuringExecution("reboot");
        assertSkipped(SkipReason.PreviousExecutionFailed, waiting("clean", 101));
        story.clear()
                .advance(Duration.ofSeconds(1))
                .withPolicy(PolicyText.parse(Map.of("max-consecutive-failures", "1")));
        policy = PolicyText.parse(Map.of("max-consecutive-failures", "1"));
        story.failBeforeExecution("reboot");
        assertSkipped(SkipReason.ExhaustedRetries, waiting("clean", 101));
    }

    /** With the block scope "workflow" another workflow can hold a target on which this one is blocked. */
    @Test
    void doesNotWaitForHolderIfItIsBlockedAsWell() {
        policy = PolicyText.parse(Map.of("block-scope", "workflow"));
        story.withPolicy(policy).failDuringExecution("clean").assertAdmitted("reboot");
        assertSkipped(SkipReason.PreviousExecutionFailed, waiting("clean", 101));
        decideWait(waiting("scale", 102));
    }

    @Test
    void oldestGoesFirst() {
        GateRequest older = waiting("clean", 101);
        GateRequest younger = waiting("reboot", 102);
        assertThat(decide(older, younger, older)).isInstanceOf(Admit.class);
        Wait wait = decideWait(younger, younger, older);
        assertThat(wait.ahead()).isEqualTo(1);
        assertThat(wait.cause().message()).contains("clean-101").contains("longer");
        assertThat(wait.decideAgainAt()).isEqualTo(DEADLINE);
    }

    @Test
    void nameDecidesBetweenRequestsOfTheSameTime() {
        GateRequest a = waiting("a", 101);
        GateRequest b = new GateRequest(waiting("b", 102).execution(), "b", a.target(), a.createdAt(), a.waitTerms());
        assertThat(decide(a, a, b)).isInstanceOf(Admit.class);
        assertThat(decide(b, a, b)).isInstanceOf(Wait.class);
    }

    @Test
    void overtakesOnlyWhatCannotRunNow() {
        story.complete("clean");
        GateRequest coolingDown = waiting("clean", 101);
        assertThat(decide(waiting("reboot", 102), coolingDown)).isInstanceOf(Admit.class);
        GateRequest expired = waiting("scale", 101, story.now(), true);
        assertThat(decide(waiting("reboot", 102), expired)).isInstanceOf(Admit.class);
    }

    /** A request that does not wait must not take the target from one that has waited for it. */
    @Test
    void requestThatDoesNotWaitIsSkippedForOlderOneThatCanRun() {
        GateRequest skipping = TargetScenario.request("reboot", 102);
        assertSkipped(SkipReason.ResourceBusy, skipping, waiting("clean", 101));
        assertThat(((Skip) decide(skipping, waiting("clean", 101))).allowedAt()).isEmpty();
        story.complete("clean");
        assertThat(decide(skipping, waiting("clean", 101))).isInstanceOf(Admit.class);
    }

    @Test
    void onlyOldestOfWorkflowLooksAgainWhenCooldownEnds() {
        story.complete("clean");
        GateRequest first = waiting("clean", 101);
        GateRequest second = waiting("clean", 102);
        assertThat(decideWait(first, first, second).decideAgainAt()).isEqualTo(START.plus(Duration.ofMinutes(5)));
        assertThat(decideWait(second, first, second).decideAgainAt()).isEqualTo(DEADLINE);
    }

    @Test
    void limitsTheQueueButKeepsWhatIsInIt() {
        policy = PolicyText.parse(Map.of("max-waiting", "2"));
        story.assertAdmitted("scale");
        GateRequest[] queue = {waiting("clean", 101), waiting("clean", 102)};
        assertSkipped(SkipReason.QueueFull, waiting("reboot", 103), queue);
        assertThat(((Skip) decide(waiting("reboot", 103), queue)).allowedAt()).isEmpty();
        decideWait(waiting("reboot", 103, DEADLINE, true), queue);
        decideWait(waiting("reboot", 100), queue);
    }

    @Test
    void explanationListsQueueOnlyWhereItMatters() {
        LedgerEntry held = story.assertAdmitted("scale");
        assertThat(decide(TargetScenario.request("clean", 101)).explanation().checks())
                .hasSize(5);
        GateExplanation waits =
                decide(waiting("clean", 102), waiting("clean", 101)).explanation();
        assertThat(waits.checks()).hasSize(8);
        assertThat(waits.admits()).isFalse();
        LedgerEntry free = ((LedgerEntry.Held) held).release(new ExecutionOutcome.Withdrawn(), START);
        GateDecision behind =
                Gate.decide(new GateInput(waiting("reboot", 102), free, policy, START, List.of(waiting("clean", 101))));
        assertThat(behind.explanation().describeChange()).contains("clean-101").contains("waits longer");
    }

    /** The end of the cooldown is known, whoever waits longer. */
    @Test
    void cooldownNamesItsEndAlsoBehindOlderRequest() {
        story.complete("clean");
        Wait wait = decideWait(waiting("clean", 102), waiting("reboot", 101));
        assertThat(wait.message()).contains("it may run again in 5m");
        assertThat(wait.decideAgainAt()).isEqualTo(START.plus(Duration.ofMinutes(5)));
    }
}
