package dev.escapement.engine.document;

import static dev.escapement.engine.contract.Samples.NOW;
import static dev.escapement.engine.contract.Samples.blocked;
import static dev.escapement.engine.contract.Samples.execution;
import static dev.escapement.engine.contract.Samples.held;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetStateTest {

    private static TargetState at(LedgerEntry entry, Instant now) {
        return TargetState.of(entry, Policy.DEFAULT, now);
    }

    private static Free couldNotStart(int times) {
        Free entry = LedgerEntry.fresh(held(execution(1)).target());
        for (int i = 0; i < times; i++) {
            Held held = held(entry, execution(i));
            entry = held.release(held.couldNotStart("ImagePullBackOff", NOW, Policy.DEFAULT), NOW);
        }
        return entry;
    }

    @Test
    void aHolderAndABlockHaveNoEndOfTheirOwn() {
        assertThat(at(held(execution(1)), NOW)).isEqualTo(new TargetState("Held", Optional.empty()));
        assertThat(at(blocked(execution(1)), NOW)).isEqualTo(new TargetState("Blocked", Optional.empty()));
        assertThat(at(couldNotStart(5), NOW)).isEqualTo(new TargetState("Exhausted", Optional.empty()));
    }

    @Test
    void aCooldownAndABackoffEndByThemselves() {
        LedgerEntry completed = held(execution(1)).release(new Outcome.Completed(), NOW);
        Instant end = NOW.plus(Duration.ofMinutes(5));
        assertThat(at(completed, NOW)).isEqualTo(new TargetState("CoolingDown", Optional.of(end)));
        assertThat(at(completed, end)).isEqualTo(new TargetState("Free", Optional.empty()));

        TargetState backingOff = at(couldNotStart(2), NOW);
        assertThat(backingOff.word()).isEqualTo("BackingOff");
        assertThat(at(couldNotStart(2), backingOff.until().orElseThrow()).word())
                .isEqualTo("Free");
    }

    @Test
    void theDocumentSaysItAndKeepsTheRest() {
        LedgerEntry completed = held(execution(1)).release(new Outcome.Completed(), NOW);
        Map<String, Object> document = at(completed, NOW).in(TargetDocument.write(completed, "7"));
        assertThat(document.toString())
                .contains("state=CoolingDown", "until=2026-11-15T12:05:00.123456Z", "workflows=");
        assertThat(TargetDocument.read(document)).isEqualTo(completed);
    }
}
