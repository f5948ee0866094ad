package dev.escapement.server.http.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.StubHttpServer;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.testkit.ConditionPoller;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** Tests the dashboard of a standalone server in a real browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardIT {

    private static final String TOKEN = "correct-horse-battery";

    private final Path folder;
    private final TestBrowser browser;

    DashboardIT(@TempDir Path folder) {
        this.folder = folder;
        browser = new TestBrowser(folder);
    }

    @AfterAll
    void stop() {
        browser.close();
    }

    @Test
    void showsExecutionsTargetsAndEvents() throws Exception {
        try (TestServer server = TestServer.start(folder.resolve("shows"))) {
            browser.openBlankPage();
            server.createExecution("before", "ok", "node/before", Map.of());
            server.awaitPhase("before", "Completed");
            browser.open(server.address());
            browser.awaitText("connection", "live");
            browser.awaitText("execution-rows", "default/before", "Completed", "node/before");
            browser.awaitText("target-rows", "CoolingDown", "node/before", "cools down for 5m");

            Path gate = folder.resolve("gate");
            server.createExecution("holder", "waits", "node/busy", Map.of("GATE", gate.toString()));
            browser.awaitText("execution-rows", "default/holder", "Running");
            server.createExecution("second", "ok", "node/busy", Map.of());
            browser.awaitText("execution-rows", "Skipped", "ResourceBusy");
            browser.awaitText("target-rows", "Held", "held by default/holder");
            browser.awaitText("event-rows", "PipelineRunCreated", "WorkflowSkipped");
            Files.createFile(gate);
            browser.awaitText("event-rows", "WorkflowCompleted");

            server.createExecution("broken", "fails", "node/broken", Map.of());
            browser.awaitText("execution-rows", "Failed");
            browser.awaitText("target-rows", "Blocked", "until a person clears it");
            browser.clickButton("clear node/broken");
            browser.awaitText("clear-dialog", "Clear node/broken");
            browser.clickButton("Cancel");
            browser.clickButton("clear node/broken");
            browser.fillField("clear-by", "anna");
            browser.fillField("clear-reason", "put it right");
            browser.clickButton("Clear");
            ConditionPoller.await(
                    "the block is gone", () -> !browser.textOf("target-rows").contains("Blocked"));
            browser.awaitText("event-rows", "BlockCleared", "cleared by anna (unverified): put it right");
            assertThat(browser.driver().findElement(By.id("clear-dialog")).isDisplayed())
                    .isFalse();
            assertThat(browser.consoleMessages()).isEmpty();
            assertThat(browser.driver().findElements(By.cssSelector("main table caption, h1, h2, [role=status]")))
                    .isNotEmpty();
        }
    }

    @Test
    void escapesHostileText() {
        String hostile = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>";
        try (TestServer server = TestServer.start(folder.resolve("hostile"))) {
            browser.open(server.address());
            browser.awaitText("connection", "live");
            server.createExecution("hostile", hostile, "node/hostile", Map.of("TEXT", hostile));
            browser.awaitText("execution-rows", "<img src=x onerror=");
            browser.awaitText("event-rows", "<img src=x onerror=");
            assertThat(browser.driver().getTitle()).isEqualTo("Escapement");
            assertThat(browser.driver().findElements(By.cssSelector("img, body script")))
                    .isEmpty();
        }
    }

    @Test
    void showsEndpointsWithFailingOnesFirst() throws Exception {
        String hostile = "<img src=x onerror=document.title='owned'>";
        try (StubHttpServer sink = new StubHttpServer();
                TestServer server =
                        TestServer.start(folder.resolve("endpoints"), Map.of("endpoints.allow", "127.0.0.1"))) {
            browser.openBlankPage();
            sink.setReply("/sick", 500, hostile);
            server.createEndpoint("aaa-well", Map.of("url", sink.url("/well"), "interval", "1h"));
            server.createEndpoint(
                    "zzz-sick",
                    Map.of(
                            "url", sink.url("/sick"),
                            "interval", "1h",
                            "remediation", Map.of("after", 1, "workflow", "ok", "target", "node/sick")));
            browser.open(server.address());
            browser.awaitText("endpoint-rows", "NEW", "aaa-well", "zzz-sick", "baseline interval (every 1h)");

            browser.clickButton("run zzz-sick");
            browser.awaitText("endpoint-rows", "1 consecutive failure");
            ConditionPoller.await(
                    "the failing one is the first",
                    () -> browser.textOf("endpoint-rows").startsWith("FAILING"));
            server.post("/api/v1/endpoints/zzz-sick/hints", "{\"interval\":\"10m\",\"reason\":\"watch it\"}");
            browser.clickButton("zzz-sick");
            browser.awaitText(
                    "endpoint-rows",
                    "Runs next at",
                    "interval hint",
                    "Not taken: backoff",
                    "Remediation REQUESTED",
                    "Completed");
            browser.awaitText("endpoint-rows", "ms late", "STATUS", "status 500", hostile);
            browser.clickButton("pause aaa-well");
            browser.awaitText("endpoint-rows", "PAUSED");
            browser.clickButton("resume aaa-well");
            ConditionPoller.await(
                    "it is not paused any more",
                    () -> !browser.textOf("endpoint-rows").contains("PAUSED"));
            assertThat(browser.driver().getTitle()).isEqualTo("Escapement");
            assertThat(browser.driver().findElements(By.cssSelector("img, body script")))
                    .isEmpty();
            browser.clickButton("zzz-sick");
            ConditionPoller.await(
                    "the details are gone",
                    () -> !browser.textOf("endpoint-rows").contains("status 500"));
            assertThat(browser.consoleMessages()).isEmpty();
        }
    }

    @Test
    void promptsForToken() {
        try (TestServer server = TestServer.start(folder.resolve("token"), Map.of("token", TOKEN))) {
            browser.open(server.address());
            browser.awaitText("connection", "token required");
            WebElement field = browser.driver().findElement(By.id("token"));
            field.sendKeys("wrong-wrong-wrong-wrong\n");
            browser.awaitText("token-problem", "Invalid token");
            field.clear();
            field.sendKeys(TOKEN + "\n");
            browser.awaitText("connection", "live");
            assertThat(browser.driver().findElement(By.id("token-form")).isDisplayed())
                    .isFalse();
        }
    }

    @Test
    void printedAddressLogsInAndHidesItsCode() {
        try (TestServer server = TestServer.start(folder.resolve("login"), Map.of("token", TOKEN))) {
            URI address = server.loginAddress();
            browser.open(address);
            browser.awaitText("connection", "live");
            assertThat(browser.driver().getCurrentUrl()).isEqualTo(server.address() + "/");
            assertThat(browser.driver().executeScript("return document.cookie")).isEqualTo("");
            // The session is still valid, although the code is used up.
            browser.openBlankPage();
            browser.open(address);
            browser.awaitText("connection", "live");
        }
    }

    @Test
    void apiDocsLoadNothingFromOtherHosts() {
        try (TestServer server = TestServer.start(folder.resolve("docs"))) {
            browser.openBlankPage();
            browser.open(server.address().resolve("/docs"));
            browser.awaitText("api", "/api/v1/executions", "/api/v1/targets/{id}/explain");
            assertThat(browser.consoleMessages()).noneMatch(line -> line.contains("SEVERE"));
            Object requested = browser.driver()
                    .executeScript(
                            "return performance.getEntriesByType('resource').map(entry => entry.name).join(' ')");
            assertThat(String.valueOf(requested).split(" "))
                    .allMatch(url -> url.startsWith(server.address().toString()) || url.startsWith("data:"));
        }
    }
}
