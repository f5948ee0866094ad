package dev.escapement.engine.mapping;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.blockedEntry;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.target.RemediationTarget;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetStateTest {

    private static TargetState stateAt(LedgerEntry entry, Instant now) {
        return TargetState.of(entry, Policy.DEFAULT, now);
    }

    private static Free entryAfterFailedStarts(int times) {
        Free entry = LedgerEntry.initial(heldEntry(execution(1)).target());
        for (int i = 0; i < times; i++) {
            Held held = heldEntry(entry, execution(i));
            entry = held.release(held.failedStartOutcome("ImagePullBackOff", NOW, Policy.DEFAULT), NOW);
        }
        return entry;
    }

    @Test
    void heldBlockedAndExhaustedHaveNoEnd() {
        assertThat(stateAt(heldEntry(execution(1)), NOW)).isEqualTo(new TargetState("Held", Optional.empty()));
        assertThat(stateAt(blockedEntry(execution(1)), NOW)).isEqualTo(new TargetState("Blocked", Optional.empty()));
        assertThat(stateAt(entryAfterFailedStarts(5), NOW)).isEqualTo(new TargetState("Exhausted", Optional.empty()));
    }

    @Test
    void cooldownAndBackoffHaveEnd() {
        LedgerEntry completed = heldEntry(execution(1)).release(new ExecutionOutcome.Completed(), NOW);
        Instant end = NOW.plus(Duration.ofMinutes(5));
        assertThat(stateAt(completed, NOW)).isEqualTo(new TargetState("CoolingDown", Optional.of(end)));
        assertThat(stateAt(completed, end)).isEqualTo(new TargetState("Free", Optional.empty()));

        TargetState backingOff = stateAt(entryAfterFailedStarts(2), NOW);
        assertThat(backingOff.name()).isEqualTo("BackingOff");
        assertThat(stateAt(entryAfterFailedStarts(2), backingOff.until().orElseThrow())
                        .name())
                .isEqualTo("Free");
    }

    @Test
    void addsStateToDocument() {
        LedgerEntry completed = heldEntry(execution(1)).release(new ExecutionOutcome.Completed(), NOW);
        RemediationTarget document = stateAt(completed, NOW).addTo(TargetMapper.toDocument(completed, "7"));
        assertThat(document.status())
                .extracting(status -> status.state() + " " + status.until())
                .isEqualTo("CoolingDown 2026-11-15T12:05:00.123456Z");
        assertThat(TargetMapper.fromDocument(document)).isEqualTo(completed);
    }
}
