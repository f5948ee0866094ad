package dev.escapement.server.http.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.operator.OperatorHarness;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dashboard of an operator on a real cluster in a real browser. */
@ExtendWith(ClusterExtension.class)
class OperatorDashboardIT {

    @Test
    void showsClusterExecutionsAndClearsBlock(TestCluster cluster, @TempDir Path folder) {
        try (TestBrowser browser = new TestBrowser(folder);
                OperatorHarness operator = OperatorHarness.start(cluster, folder, Map.of())) {
            String namespace = cluster.createNamespace("seen");
            browser.open(operator.operator().address());
            browser.awaitText("connection", "live");
            browser.awaitText("endpoint-rows", "This operator has no database");

            operator.createExecution(namespace, "good", namespace + "/deployment/good", "simulated.local/succeed");
            browser.awaitText("execution-rows", namespace + "/good", "Completed");
            browser.awaitText("target-rows", "CoolingDown", namespace + "/deployment/good", "cools down for");

            operator.createExecution(namespace, "holder", namespace + "/deployment/busy", "simulated.local/hang");
            browser.awaitText("execution-rows", namespace + "/holder", "Running");
            operator.createExecution(namespace, "late", namespace + "/deployment/busy", "simulated.local/succeed");
            browser.awaitText("execution-rows", namespace + "/late", "Skipped", "ResourceBusy");
            browser.awaitText("target-rows", "Held", "held by " + namespace + "/holder");

            String broken = namespace + "/deployment/broken";
            operator.createExecution(namespace, "broken", broken, "simulated.local/exit:3");
            String blocked = "repair ran and failed (TaskFailed) as " + namespace + "/broken";
            browser.awaitText("target-rows", "Blocked", broken, blocked, "blocked until a person clears it");
            browser.awaitText("event-rows", "PipelineRunCreated", "WorkflowSkipped", "WorkflowFailed");
            browser.clickButton("clear " + broken);
            browser.fillField("clear-by", "anna");
            browser.fillField("clear-reason", "looked");
            browser.clickButton("Clear");
            ConditionPoller.await(
                    "the block is gone", () -> !browser.textOf("target-rows").contains(blocked));
            browser.awaitText("event-rows", "BlockCleared", "cleared by anna (unverified): looked");
            assertThat(browser.consoleMessages())
                    .as("the page stops reading endpoints after the first 501")
                    .hasSizeLessThanOrEqualTo(2)
                    .allMatch(line -> line.contains("/api/v1/endpoints"));
        }
    }
}
