package dev.escapement.server.http.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.testkit.ConditionPoller;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real browser that shows the dashboard. Without a browser the test is skipped with a message; in CI it fails. */
public final class TestBrowser implements AutoCloseable {

    private static final Path BROWSER_PATH = Path.of("/usr/bin/chromium");
    private static final Path DRIVER_PATH = Path.of("/usr/bin/chromedriver");

    private final ChromeDriver driver;

    /** @param folder for the profile of the browser */
    public TestBrowser(Path folder) {
        boolean installed = Files.isExecutable(BROWSER_PATH) && Files.isExecutable(DRIVER_PATH);
        if (!installed) {
            System.err.println("SKIPPED: the dashboard is not tested: missing " + BROWSER_PATH + " or " + DRIVER_PATH);
            assertThat(System.getenv("CI"))
                    .describedAs("a missing browser is a failure in CI")
                    .isNotEqualTo("true");
        }
        assumeTrue(installed);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER_PATH.toFile());
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
        // With both paths given, Selenium neither searches nor downloads a browser.
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER_PATH.toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    /** For operations that only some tests need. */
    ChromeDriver driver() {
        return driver;
    }

    public void open(URI address) {
        driver.get(address.toString());
    }

    public String textOf(String id) {
        try {
            return driver.findElement(By.id(id)).getText();
        } catch (StaleElementReferenceException replaced) {
            return "";
        }
    }

    public void awaitText(String id, String... words) {
        ConditionPoller.await(
                id + " shows " + List.of(words),
                () -> textOf(id),
                shown -> List.of(words).stream().allMatch(shown::contains));
    }

    /** Leaves the page of the previous server, which would log that its server is gone. */
    public void openBlankPage() {
        driver.get("about:blank");
        consoleMessages();
    }

    public List<String> consoleMessages() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(Object::toString)
                .toList();
    }

    /** Replaces the content of a field. */
    public void fillField(String id, String text) {
        WebElement field = driver.findElement(By.id(id));
        field.clear();
        field.sendKeys(text);
    }

    /** Clicks the button with this accessible name, as a screen reader reads it. */
    public void clickButton(String name) {
        ConditionPoller.await("button " + name + " is pressed", () -> {
            try {
                List<WebElement> buttons = driver.findElements(By.cssSelector("main button")).stream()
                        .filter(button -> name.equals(button.getAccessibleName()))
                        .toList();
                buttons.forEach(WebElement::click);
                return !buttons.isEmpty();
            } catch (StaleElementReferenceException replaced) {
                return false;
            }
        });
    }

    @Override
    public void close() {
        driver.quit();
    }
}
