package dev.escapement.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.Sink;
import dev.escapement.server.TestServer;
import dev.escapement.server.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The page in a real browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageTest {

    private static final String TOKEN = "correct-horse-battery";

    private final Path folder;
    private final Browser browser;

    PageTest(@TempDir Path folder) {
        this.folder = folder;
        browser = new Browser(folder);
    }

    @AfterAll
    void stop() {
        browser.close();
    }

    @Test
    void itShowsWhatIsAndWhatHappensWithTheReasons() throws Exception {
        try (TestServer server = TestServer.start(folder.resolve("shows"))) {
            browser.leave();
            server.create("before", "ok", "node/before", Map.of());
            server.await("before", "Completed");
            browser.open(server.address());
            browser.see("connection", "live");
            browser.see("execution-rows", "default/before", "Completed", "node/before");
            browser.see("target-rows", "CoolingDown", "node/before", "cools down for 5m");

            Path gate = folder.resolve("gate");
            server.create("holder", "waits", "node/busy", Map.of("GATE", gate.toString()));
            browser.see("execution-rows", "default/holder", "Running");
            server.create("second", "ok", "node/busy", Map.of());
            browser.see("execution-rows", "Skipped", "ResourceBusy");
            browser.see("target-rows", "Held", "held by default/holder");
            browser.see("event-rows", "PipelineRunCreated", "WorkflowSkipped");
            Files.createFile(gate);
            browser.see("event-rows", "WorkflowCompleted");

            server.create("broken", "fails", "node/broken", Map.of());
            browser.see("execution-rows", "Failed");
            browser.see("target-rows", "Blocked", "until a person clears it");
            browser.click("clear node/broken");
            browser.see("clear-dialog", "Clear node/broken");
            browser.click("Not now");
            browser.click("clear node/broken");
            browser.write("clear-by", "anna");
            browser.write("clear-reason", "put it right");
            browser.click("Clear");
            Waiting.until(
                    "the block is gone", () -> !browser.text("target-rows").contains("Blocked"));
            browser.see("event-rows", "BlockCleared", "cleared by anna: put it right");
            assertThat(browser.driver().findElement(By.id("clear-dialog")).isDisplayed())
                    .isFalse();
            assertThat(browser.complaints()).isEmpty();
            assertThat(browser.driver().findElements(By.cssSelector("main table caption, h1, h2, [role=status]")))
                    .isNotEmpty();
        }
    }

    @Test
    void hostileTextStaysText() {
        String hostile = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>";
        try (TestServer server = TestServer.start(folder.resolve("hostile"))) {
            browser.open(server.address());
            browser.see("connection", "live");
            server.create("hostile", hostile, hostile, Map.of());
            browser.see("execution-rows", "<img src=x onerror=");
            browser.see("event-rows", "<img src=x onerror=");
            assertThat(browser.driver().getTitle()).isEqualTo("Escapement");
            assertThat(browser.driver().findElements(By.cssSelector("img, body script")))
                    .isEmpty();
        }
    }

    @Test
    void itShowsEndpointsTheFailingOnesFirstWhyAndWhatBecameOfTheirRuns() throws Exception {
        String hostile = "<img src=x onerror=document.title='owned'>";
        try (Sink sink = new Sink();
                TestServer server =
                        TestServer.start(folder.resolve("endpoints"), Map.of("endpoints.allow", "127.0.0.1"))) {
            browser.leave();
            sink.reply("/sick", 500, hostile);
            server.endpoint("aaa-well", Map.of("url", sink.url("/well"), "interval", "1h"));
            server.endpoint(
                    "zzz-sick",
                    Map.of(
                            "url", sink.url("/sick"),
                            "interval", "1h",
                            "remediation", Map.of("after", 1, "workflow", "ok", "target", "node/sick")));
            browser.open(server.address());
            browser.see("endpoint-rows", "NEW", "aaa-well", "zzz-sick", "baseline interval (every 1h)");

            browser.click("run zzz-sick");
            browser.see("endpoint-rows", "1 failed in a row");
            Waiting.until(
                    "the failing one is the first",
                    () -> browser.text("endpoint-rows").startsWith("FAILING"));
            server.post("/api/v1/endpoints/zzz-sick/hints", "{\"interval\":\"10m\",\"reason\":\"watch it\"}");
            browser.click("zzz-sick");
            browser.see(
                    "endpoint-rows",
                    "Runs next at",
                    "interval hint",
                    "Not taken: backoff",
                    "Remediation REQUESTED",
                    "Completed");
            browser.see("endpoint-rows", "ms late", "STATUS", "status 500", hostile);
            browser.click("pause aaa-well");
            browser.see("endpoint-rows", "PAUSED");
            browser.click("resume aaa-well");
            Waiting.until(
                    "it is not paused any more",
                    () -> !browser.text("endpoint-rows").contains("PAUSED"));
            assertThat(browser.driver().getTitle()).isEqualTo("Escapement");
            assertThat(browser.driver().findElements(By.cssSelector("img, body script")))
                    .isEmpty();
            browser.click("zzz-sick");
            Waiting.until(
                    "the details are gone", () -> !browser.text("endpoint-rows").contains("status 500"));
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void itAsksForTheTokenAndGoesOn() {
        try (TestServer server = TestServer.start(folder.resolve("token"), Map.of("token", TOKEN))) {
            browser.open(server.address());
            browser.see("connection", "token needed");
            WebElement field = browser.driver().findElement(By.id("token"));
            field.sendKeys("wrong-wrong-wrong-wrong\n");
            browser.see("token-problem", "not the token");
            field.clear();
            field.sendKeys(TOKEN + "\n");
            browser.see("connection", "live");
            assertThat(browser.driver().findElement(By.id("token-form")).isDisplayed())
                    .isFalse();
        }
    }

    @Test
    void theApiCanBeTriedWithoutAnythingFromElsewhere() {
        try (TestServer server = TestServer.start(folder.resolve("docs"))) {
            browser.leave();
            browser.open(server.address().resolve("/docs"));
            browser.see("api", "/api/v1/executions", "/api/v1/targets/{id}/explain");
            assertThat(browser.complaints()).noneMatch(line -> line.contains("SEVERE"));
            Object requested = browser.driver()
                    .executeScript(
                            "return performance.getEntriesByType('resource').map(entry => entry.name).join(' ')");
            assertThat(String.valueOf(requested).split(" "))
                    .allMatch(url -> url.startsWith(server.address().toString()) || url.startsWith("data:"));
        }
    }
}
