package dev.escapement.server.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.server.Sink;
import dev.escapement.server.TestServer;
import dev.escapement.server.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The page in a real browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageTest {

    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final String TOKEN = "correct-horse-battery";

    private final Path folder;
    private final ChromeDriver browser;

    PageTest(@TempDir Path folder) {
        this.folder = folder;
        boolean there = Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER);
        if (!there) {
            System.err.println("SKIPPED: the page is not tested, there is no " + BROWSER + " with " + DRIVER);
            assertThat(System.getenv("CI"))
                    .describedAs("a missing browser is a failure in CI")
                    .isNotEqualTo("true");
        }
        assumeTrue(there);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--user-data-dir=" + folder.resolve("browser"));
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        // Both paths are given: nothing is looked for, and nothing is downloaded.
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    @AfterAll
    void stop() {
        browser.quit();
    }

    private String text(String id) {
        try {
            return browser.findElement(By.id(id)).getText();
        } catch (StaleElementReferenceException replaced) {
            return "";
        }
    }

    private void see(String id, String... words) {
        Waiting.until(
                id + " shows " + List.of(words),
                () -> text(id),
                shown -> List.of(words).stream().allMatch(shown::contains));
    }

    /** The page of the server before complains that it is gone. */
    private void leave() {
        browser.get("about:blank");
        complaints();
    }

    private List<String> complaints() {
        return browser.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(Object::toString)
                .toList();
    }

    @Test
    void itShowsWhatIsAndWhatHappensWithTheReasons() throws Exception {
        try (TestServer server = TestServer.start(folder.resolve("shows"))) {
            leave();
            server.create("before", "ok", "node/before", Map.of());
            server.await("before", "Completed");
            browser.get(server.address().toString());
            see("connection", "live");
            see("execution-rows", "default/before", "Completed", "node/before");
            see("target-rows", "CoolingDown", "node/before", "cools down for 5m");

            Path gate = folder.resolve("gate");
            server.create("holder", "waits", "node/busy", Map.of("GATE", gate.toString()));
            see("execution-rows", "default/holder", "Running");
            server.create("second", "ok", "node/busy", Map.of());
            see("execution-rows", "Skipped", "ResourceBusy");
            see("target-rows", "Held", "held by default/holder");
            see("event-rows", "PipelineRunCreated", "WorkflowSkipped");
            Files.createFile(gate);
            see("event-rows", "WorkflowCompleted");

            server.create("broken", "fails", "node/broken", Map.of());
            see("execution-rows", "Failed");
            see("target-rows", "Blocked", "until a person clears it");
            assertThat(complaints()).isEmpty();
            assertThat(browser.findElements(By.cssSelector("main table caption, h1, h2, [role=status]")))
                    .isNotEmpty();
        }
    }

    @Test
    void hostileTextStaysText() {
        String hostile = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>";
        try (TestServer server = TestServer.start(folder.resolve("hostile"))) {
            browser.get(server.address().toString());
            see("connection", "live");
            server.create("hostile", hostile, hostile, Map.of());
            see("execution-rows", "<img src=x onerror=");
            see("event-rows", "<img src=x onerror=");
            assertThat(browser.getTitle()).isEqualTo("Escapement");
            assertThat(browser.findElements(By.cssSelector("img, body script"))).isEmpty();
        }
    }

    @Test
    void itShowsEndpointsTheFailingOnesFirstWhyAndWhatBecameOfTheirRuns() throws Exception {
        String hostile = "<img src=x onerror=document.title='owned'>";
        try (Sink sink = new Sink();
                TestServer server =
                        TestServer.start(folder.resolve("endpoints"), Map.of("endpoints.allow", "127.0.0.1"))) {
            leave();
            sink.reply("/sick", 500, hostile);
            server.endpoint("aaa-well", Map.of("url", sink.url("/well"), "interval", "1h"));
            server.endpoint("zzz-sick", Map.of("url", sink.url("/sick"), "interval", "1h"));
            browser.get(server.address().toString());
            see("endpoint-rows", "NEW", "aaa-well", "zzz-sick", "Runs next at");

            click("run zzz-sick");
            see("endpoint-rows", "FAILING", "1 failed in a row");
            assertThat(text("endpoint-rows")).startsWith("FAILING");
            server.post("/api/v1/endpoints/zzz-sick/hints", "{\"interval\":\"10m\",\"reason\":\"watch it\"}");
            click("zzz-sick");
            see("endpoint-rows", "interval hint", "Not taken: backoff", "ms late", "STATUS", "status 500", hostile);
            click("pause aaa-well");
            see("endpoint-rows", "PAUSED");
            click("resume aaa-well");
            Waiting.until(
                    "it is not paused any more", () -> !text("endpoint-rows").contains("PAUSED"));
            assertThat(browser.getTitle()).isEqualTo("Escapement");
            assertThat(browser.findElements(By.cssSelector("img, body script"))).isEmpty();
            click("zzz-sick");
            Waiting.until("the details are gone", () -> !text("endpoint-rows").contains("status 500"));
            assertThat(complaints()).isEmpty();
        }
    }

    /** What a screen reader would call the button. */
    private void click(String name) {
        Waiting.until("button " + name + " is pressed", () -> {
            try {
                List<WebElement> buttons = browser.findElements(By.cssSelector("#endpoint-rows button")).stream()
                        .filter(button -> name.equals(button.getAccessibleName()))
                        .toList();
                buttons.forEach(WebElement::click);
                return !buttons.isEmpty();
            } catch (StaleElementReferenceException replaced) {
                return false;
            }
        });
    }

    @Test
    void itAsksForTheTokenAndGoesOn() {
        try (TestServer server = TestServer.start(folder.resolve("token"), Map.of("token", TOKEN))) {
            browser.get(server.address().toString());
            see("connection", "token needed");
            WebElement field = browser.findElement(By.id("token"));
            field.sendKeys("wrong-wrong-wrong-wrong\n");
            see("token-problem", "not the token");
            field.clear();
            field.sendKeys(TOKEN + "\n");
            see("connection", "live");
            assertThat(browser.findElement(By.id("token-form")).isDisplayed()).isFalse();
        }
    }

    @Test
    void theApiCanBeTriedWithoutAnythingFromElsewhere() {
        try (TestServer server = TestServer.start(folder.resolve("docs"))) {
            leave();
            browser.get(server.address().resolve("/docs").toString());
            see("api", "/api/v1/executions", "/api/v1/targets/{id}/explain");
            assertThat(complaints()).noneMatch(line -> line.contains("SEVERE"));
            Object requested = browser.executeScript(
                    "return performance.getEntriesByType('resource').map(entry => entry.name).join(' ')");
            assertThat(String.valueOf(requested).split(" "))
                    .allMatch(url -> url.startsWith(server.address().toString()) || url.startsWith("data:"));
        }
    }
}
