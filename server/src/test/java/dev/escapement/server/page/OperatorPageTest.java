package dev.escapement.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.server.Waiting;
import dev.escapement.server.operator.OperatorHarness;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, of an operator on a real cluster. */
@ExtendWith(ClusterExtension.class)
class OperatorPageTest {

    @Test
    void itShowsWhatHappensOnTheClusterABlockAndThatItIsCleared(TestCluster cluster, @TempDir Path folder) {
        try (Browser browser = new Browser(folder);
                OperatorHarness operator = OperatorHarness.start(cluster, folder, Map.of())) {
            String namespace = cluster.freshNamespace("seen");
            browser.open(operator.operator().address());
            browser.see("connection", "live");
            browser.see("endpoint-rows", "This operator has no database");

            operator.create(namespace, "good", namespace + "/deployment/good", "simulated.local/succeed");
            browser.see("execution-rows", namespace + "/good", "Completed");
            browser.see("target-rows", "CoolingDown", namespace + "/deployment/good", "cools down for");

            operator.create(namespace, "holder", namespace + "/deployment/busy", "simulated.local/hang");
            browser.see("execution-rows", namespace + "/holder", "Running");
            operator.create(namespace, "late", namespace + "/deployment/busy", "simulated.local/succeed");
            browser.see("execution-rows", namespace + "/late", "Skipped", "ResourceBusy");
            browser.see("target-rows", "Held", "held by " + namespace + "/holder");

            String broken = namespace + "/deployment/broken";
            operator.create(namespace, "broken", broken, "simulated.local/exit:3");
            String blocked = "repair ran and failed (TaskFailed) as " + namespace + "/broken";
            browser.see("target-rows", "Blocked", broken, blocked, "blocked until a person clears it");
            browser.see("event-rows", "PipelineRunCreated", "WorkflowSkipped", "WorkflowFailed");
            browser.click("clear " + broken);
            browser.write("clear-by", "anna");
            browser.write("clear-reason", "looked");
            browser.click("Clear");
            Waiting.until(
                    "the block is gone", () -> !browser.text("target-rows").contains(blocked));
            browser.see("event-rows", "BlockCleared", "cleared by anna: looked");
            assertThat(browser.complaints())
                    .as("once is enough to know that there are no endpoints")
                    .hasSizeLessThanOrEqualTo(2)
                    .allMatch(line -> line.contains("/api/v1/endpoints"));
        }
    }
}
