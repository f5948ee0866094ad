package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.kubernetes.run.Eventually;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The operator is started again with another execution namespace, and cannot see the runs that go on in the old one.
 */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class ElsewhereTest {

    private final Scenario scenario;

    ElsewhereTest(Scenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void aRunThatItCannotSeeIsNotTakenForDeleted() {
        Asked asked = scenario.job("wait").go();
        scenario.pod(asked, "Running");

        withAnotherNamespace(() -> {
            assertThat(asked.status().at("phase")).isEqualTo("Running");
            assertThat(scenario.entry(asked.target(), "Held").at("holder.uid")).isEqualTo(asked.uid());
            Asked other = scenario.job("succeed").go();
            other.ended().skipped("ResourceBusy");
        });

        scenario.end(asked, "succeed");
        asked.ended().completed();
        scenario.entry(asked.target(), "Free");
    }

    @Test
    void itsTargetStaysHeldWhenItsExecutionIsDeletedMeanwhile() {
        Asked asked = scenario.job("hang").go();
        scenario.pod(asked, "Running");

        withAnotherNamespace(() -> {
            asked.delete();
            afterALook();
            assertThat(scenario.entry(asked.target(), "Held").at("holder.uid")).isEqualTo(asked.uid());
            assertThat(asked.runs()).hasSize(1);
        });

        scenario.entry(asked.target(), "Blocked");
        Eventually.holds("it is stopped", () -> asked.runs().isEmpty());
    }

    private void withAnotherNamespace(Runnable story) {
        String elsewhere = Installed.moreRuns(scenario.cluster());
        scenario.withoutOperator(() -> {
            RunningOperator operator = new RunningOperator(scenario.cluster(), elsewhere);
            try {
                afterALook();
                story.run();
            } finally {
                operator.close();
            }
        });
    }

    /** What comes later and is over shows that everything before it was looked at. */
    private void afterALook() {
        Asked later = scenario.job("succeed").on(scenario.otherTarget()).go();
        later.ended().completed();
        later.runIsGone();
    }
}
