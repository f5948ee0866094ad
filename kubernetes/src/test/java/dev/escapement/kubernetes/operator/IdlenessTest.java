package dev.escapement.kubernetes.operator;

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

/** The moment that is foretold is the very first at which the entry can go. */
class IdlenessTest {

    private static final Policy RULES = Policy.DEFAULT;
    private static final Instant LATER = NOW.plus(Duration.ofMinutes(1));

    private static Free completed() {
        return heldEntry(execution(1)).release(new ExecutionOutcome.Completed(), NOW);
    }

    private static void isFirstMoment(LedgerEntry entry, Policy rules, Instant at) {
        assertThat(Idleness.of(entry, rules)).contains(at);
        assertThat(entry.expire(rules, at).isIdle(at)).isTrue();
        Instant before = at.minusNanos(1);
        assertThat(entry.expire(rules, before).isIdle(before)).isFalse();
    }

    @Test
    void aSuccessGoesWithItsCooldown() {
        isFirstMoment(completed(), RULES, NOW.plus(RULES.cooldown()));
    }

    @Test
    void theLastOfSeveralSuccessesCounts() {
        Free second = heldEntry(completed(), execution("ops", 2, "other", "node/worker-1"))
                .release(new ExecutionOutcome.Completed(), LATER);

        isFirstMoment(second, RULES, LATER.plus(RULES.cooldown()));
    }

    @Test
    void aClearanceIsKeptAsLongAsACooldown() {
        LedgerEntry cleared = blockedEntry(execution(1))
                .clear(new Clearance("alice", "looked", LATER))
                .orElseThrow();

        isFirstMoment(cleared, RULES, LATER.plus(RULES.cooldown()));
    }

    @Test
    void theEpochOutlivesACooldownThatIsShorterThanClocksMayDiffer() {
        Policy quick = PolicyText.parse(Map.of("cooldown-period", "1s"));
        Instant epoch = Instant.ofEpochMilli(completed().epoch());

        Optional<Instant> idle = Idleness.of(completed(), quick);

        assertThat(idle).contains(epoch.plus(LedgerEntry.MAX_CLOCK_SKEW).plusMillis(1));
        assertThat(completed().expire(quick, idle.get()).isIdle(idle.get())).isTrue();
    }

    @Test
    void timeAloneFreesNoTargetThatIsHeldBlockedOrFailing() {
        Held held = heldEntry(execution(1));
        Free failing = held.release(held.failedStartOutcome("ImagePullBackOff", NOW, RULES), NOW);

        assertThat(Idleness.of(held, RULES)).isEmpty();
        assertThat(Idleness.of(blockedEntry(execution(1)), RULES)).isEmpty();
        assertThat(Idleness.of(failing, RULES)).isEmpty();
    }
}
