package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.resource.EntryCodec;
import dev.escapement.kubernetes.run.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rules that change while the ledger remembers what happened under the old ones. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class PolicyChangesTest {

    private final Scenario scenario;

    PolicyChangesTest(Scenario scenario) {
        this.scenario = scenario;
    }

    @AfterEach
    void restoreTheRules() {
        Installed.apply(scenario.admin(), "config.yaml");
    }

    /** Under the old rules the entry would have stayed for longer than anybody waits here. */
    @Test
    void aShorterCooldownRemovesWhatItMakesIdle() {
        // There is no execution behind these entries, and nobody should forget them for that.
        scenario.rules(Map.of("reset-on-delete", "false"));
        String cooling = completed(Duration.ofMinutes(2));
        String cooled = completed(Duration.ofMinutes(6));
        Eventually.holds(
                "the operator has looked at the ledger",
                () -> scenario.entry(cooled).isEmpty());
        assertThat(scenario.entry(cooling)).isPresent();

        scenario.rules(Map.of("cooldown-period", "1m30s"));

        Eventually.holds(
                cooling + " is forgotten", () -> scenario.entry(cooling).isEmpty());
    }

    /** Returns a target on which a workflow completed so long ago. */
    private String completed(Duration ago) {
        Target target = Target.parse(scenario.otherTarget());
        Instant at = Instant.now().minus(ago);
        Holder holder = new Holder(
                new ExecutionRef(scenario.namespace(), "gone", target.objectName()),
                "repair",
                "run-uid",
                "job/run",
                at.minusSeconds(1));
        LedgerEntry entry = LedgerEntry.initial(target).acquire(holder).release(new ExecutionOutcome.Completed(), at);
        scenario.admin().resource(EntryCodec.create(entry)).create();
        return target.canonical();
    }
}
