package dev.escapement.kubernetes.controller;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.blockedEntry;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The deadline is the first instant at which the entry is idle. */
class IdleDeadlineTest {

    private static final Policy POLICY = Policy.DEFAULT;
    private static final Instant LATER = NOW.plus(Duration.ofMinutes(1));

    private static Free completedEntry() {
        return heldEntry(execution(1)).release(new ExecutionOutcome.Completed(), NOW);
    }

    private static void assertFirstIdleInstant(LedgerEntry entry, Policy policy, Instant at) {
        assertThat(TargetReconciler.idleDeadline(entry, policy)).contains(at);
        assertThat(entry.expire(policy, at).isIdle(at)).isTrue();
        Instant before = at.minusNanos(1);
        assertThat(entry.expire(policy, before).isIdle(before)).isFalse();
    }

    @Test
    void expiresSuccessAfterCooldown() {
        assertFirstIdleInstant(completedEntry(), POLICY, NOW.plus(POLICY.cooldown()));
    }

    @Test
    void usesLastOfSeveralSuccesses() {
        Free second = heldEntry(completedEntry(), execution("ops", 2, "other", "node/worker-1"))
                .release(new ExecutionOutcome.Completed(), LATER);

        assertFirstIdleInstant(second, POLICY, LATER.plus(POLICY.cooldown()));
    }

    @Test
    void keepsClearanceForCooldown() {
        LedgerEntry cleared = blockedEntry(execution(1))
                .clear(new Clearance("alice", "looked", LATER))
                .orElseThrow();

        assertFirstIdleInstant(cleared, POLICY, LATER.plus(POLICY.cooldown()));
    }

    @Test
    void keepsEpochForClockSkewWhenCooldownIsShorter() {
        Policy quick = PolicyText.parse(Map.of("cooldown-period", "1s"));
        Instant epoch = Instant.ofEpochMilli(completedEntry().epoch());

        Optional<Instant> idle = TargetReconciler.idleDeadline(completedEntry(), quick);

        assertThat(idle).contains(epoch.plus(LedgerEntry.MAX_CLOCK_SKEW).plusMillis(1));
        assertThat(completedEntry().expire(quick, idle.get()).isIdle(idle.get()))
                .isTrue();
    }

    @Test
    void hasNoDeadlineWhileHeldBlockedOrFailing() {
        Held held = heldEntry(execution(1));
        Free failing = held.release(held.failedStartOutcome("ImagePullBackOff", NOW, POLICY), NOW);

        assertThat(TargetReconciler.idleDeadline(held, POLICY)).isEmpty();
        assertThat(TargetReconciler.idleDeadline(blockedEntry(execution(1)), POLICY))
                .isEmpty();
        assertThat(TargetReconciler.idleDeadline(failing, POLICY)).isEmpty();
    }
}
