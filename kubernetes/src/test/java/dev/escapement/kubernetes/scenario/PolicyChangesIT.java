package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.resource.LedgerEntryCodec;
import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.testkit.cluster.ClusterExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rules that change while the ledger remembers what happened under the old ones. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class PolicyChangesIT {

    private final OperatorScenario scenario;

    PolicyChangesIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @AfterEach
    void restorePolicy() {
        InstalledCluster.apply(scenario.admin(), "config.yaml");
    }

    /** Under the old rules the entry would have stayed for longer than anybody waits here. */
    @Test
    void shorterCooldownRemovesIdleEntries() {
        // There is no execution behind these entries, and nobody should forget them for that.
        scenario.updatePolicy(Map.of("reset-on-delete", "false"));
        String cooling = createCompletedEntry(Duration.ofMinutes(2));
        String cooled = createCompletedEntry(Duration.ofMinutes(6));
        ClusterAwait.untilTrue(
                "the operator has looked at the ledger",
                () -> scenario.entry(cooled).isEmpty());
        assertThat(scenario.entry(cooling)).isPresent();

        scenario.updatePolicy(Map.of("cooldown-period", "1m30s"));

        ClusterAwait.untilTrue(
                cooling + " is forgotten", () -> scenario.entry(cooling).isEmpty());
    }

    /** Returns a target on which a workflow completed so long ago. */
    private String createCompletedEntry(Duration ago) {
        Target target = Target.parse(scenario.newTarget());
        Instant at = Instant.now().minus(ago);
        Holder holder = new Holder(
                new ExecutionRef(scenario.namespace(), "gone", target.objectName()),
                "repair",
                "run-uid",
                "job/run",
                at.minusSeconds(1));
        LedgerEntry entry = LedgerEntry.initial(target).acquire(holder).release(new ExecutionOutcome.Completed(), at);
        scenario.admin().resource(LedgerEntryCodec.newResource(entry)).create();
        return target.canonical();
    }
}
