package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.kubernetes.run.Eventually;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Failures that are counted from one execution to the next, and how a person ends the counting. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class RetriesTest {

    private final Scenario scenario;

    RetriesTest(Scenario scenario) {
        this.scenario = scenario;
    }

    @AfterEach
    void restoreTheRules() {
        Installed.apply(scenario.admin(), "config.yaml");
    }

    @Test
    void fiveExecutionsThatCannotStartExhaustTheTargetUntilItIsCleared() {
        scenario.rules(Map.of("base-cooldown-period", "1s", "max-cooldown-period", "2s"));
        List<Asked> failed = new ArrayList<>();
        for (int failures = 1; failures <= 5; failures++) {
            Asked asked = attempt();
            failed.add(asked);
            Seen ended = asked.ended().failedBefore("ConfigurationError").counts(failures);
            assertThat(wait(ended)).isBetween(Duration.ofMillis(failures == 1 ? 1_000 : 1_800), Duration.ofSeconds(2));
            Seen entry = scenario.entry(asked.target(), "BackingOff");
            assertThat(entry.at("retry.consecutiveFailures")).isEqualTo("" + failures);
            awaitTime(ended.time("nextAllowedExecution"));
        }

        Asked sixth = attempt();

        Seen skipped = sixth.ended().skipped("ExhaustedRetries");
        assertThat(skipped.at("skipDetails.message"))
                .contains("5 executions in a row could not start on " + sixth.target())
                .contains(failed.get(4).title(), "the limit is 5", "until a person has removed the cause");
        assertThat(skipped.has("skipDetails.nextAllowedExecution")).isFalse();
        assertThat(sixth.runs()).isEmpty();
        assertThat(scenario.entry(sixth.target(), "BackingOff").at("retry.consecutiveFailures"))
                .isEqualTo("5");

        clear(sixth.target(), "the bundle is pushed");

        assertThat(scenario.entry(sixth.target()).orElseThrow().has("retry")).isFalse();
        Seen culprit = failed.get(4).await("cleared", seen -> seen.has("blockClearance"));
        assertThat(culprit.at("blockClearance.clearedBy")).isEqualTo("alice");
        scenario.tekton("succeed").go().ended().completed();
    }

    @Test
    void aTargetThatWasClearedRunsAgain() {
        Asked failed = scenario.tekton("exit:1").go();
        failed.ended().failedDuring("TaskFailed");
        scenario.entry(failed.target(), "Blocked");
        scenario.tekton("succeed").go().ended().skipped("PreviousExecutionFailed");

        clear(failed.target(), "looked, and it is fine");

        Seen entry = scenario.entry(failed.target()).orElseThrow();
        assertThat(entry.at("clearance.clearedBy")).isEqualTo("alice");
        assertThat(entry.at("clearance.clearReason")).isEqualTo("looked, and it is fine");
        Seen culprit = failed.await("cleared", seen -> seen.has("blockClearance"));
        assertThat(culprit.at("phase")).isEqualTo("Failed");
        assertThat(culprit.at("blockClearance.clearReason")).isEqualTo("looked, and it is fine");
        scenario.tekton("succeed").go().ended().completed();
    }

    @Test
    void aSuccessEndsTheCounting() {
        scenario.rules(Map.of("base-cooldown-period", "1s", "max-cooldown-period", "1s"));
        Asked failed = attempt();
        awaitTime(failed.ended().counts(1).time("nextAllowedExecution"));

        scenario.tekton("succeed").go().ended().completed();

        assertThat(scenario.entry(failed.target(), "Free").has("retry")).isFalse();
        attempt("other").ended().failedBefore("ConfigurationError").counts(1);
    }

    @Test
    void rulesThatMakeNoSenseAreRefusedAndTheOldOnesStay() {
        scenario.rules(Map.of("base-cooldown-period", "1s", "max-cooldown-period", "2s"));

        scenario.write(Map.of("base-cooldown-period", "1 parsec"));

        Event told = Eventually.is(
                "the refusal is told",
                () -> scenario
                        .admin()
                        .v1()
                        .events()
                        .inNamespace(Installed.SYSTEM)
                        .withField("reason", "PolicyRefused")
                        .list()
                        .getItems()
                        .stream()
                        .filter(event -> event.getMessage().contains("parsec"))
                        .findFirst());
        assertThat(told.getMessage()).contains("base-cooldown-period", "the old rules stay");
        assertThat(wait(attempt().ended().counts(1))).isLessThan(Duration.ofSeconds(2));
    }

    private Asked attempt() {
        return attempt("repair");
    }

    private Asked attempt(String workflow) {
        return scenario.workflow(workflow, scenario.bundles().missing()).go();
    }

    private static Duration wait(Seen ended) {
        return Duration.between(ended.time("failureDetails.failedAt"), ended.time("nextAllowedExecution"));
    }

    private static void awaitTime(Instant time) {
        Eventually.holds("it is " + time, () -> !Instant.now().isBefore(time));
    }

    private void clear(String target, String reason) {
        Instant now = Instant.now();
        assertThat(scenario.requests().clear(Target.parse(target), new Clearance("alice", reason, now)))
                .isPresent();
        Eventually.holds(
                "the clearance of " + target + " is told once",
                () -> scenario.toldOfTarget(target).stream()
                                .filter(event -> event.getReason().equals("BlockCleared"))
                                .filter(event -> event.getMessage().contains(reason))
                                .count()
                        == 1);
    }
}
