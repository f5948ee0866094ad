package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A policy that changes while the ledger has entries from before. */
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

    /** With the previous policy the entry would stay longer than the test waits. */
    @Test
    void shorterCooldownRemovesIdleEntries() {
        // These entries have no execution, and must not be reset for that reason.
        scenario.updatePolicy(Map.of("reset-on-delete", "false"));
        String cooling = createCompletedEntry(Duration.ofMinutes(2));
        String cooled = createCompletedEntry(Duration.ofMinutes(6));
        ConditionPoller.await(
                "the operator has reconciled the ledger",
                () -> scenario.entry(cooled).isEmpty());
        assertThat(scenario.entry(cooling)).isPresent();

        scenario.updatePolicy(Map.of("cooldown-period", "1m30s"));

        ConditionPoller.await(
                cooling + " is forgotten", () -> scenario.entry(cooling).isEmpty());
    }

    /** Returns a target on which a workflow completed this long ago. */
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
        scenario.admin().resource(RemediationTargetResource.newResource(entry)).create();
        return target.canonical();
    }
}
