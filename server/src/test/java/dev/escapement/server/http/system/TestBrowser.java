package dev.escapement.server.http.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.server.ConditionPoller;
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

/** A real browser that looks at the page. Without one the test is skipped, loudly; in CI it fails. */
public final class TestBrowser implements AutoCloseable {

    private static final Path BROWSER_PATH = Path.of("/usr/bin/chromium");
    private static final Path DRIVER_PATH = Path.of("/usr/bin/chromedriver");

    private final ChromeDriver driver;

    /** @param folder where it keeps what it has to keep */
    public TestBrowser(Path folder) {
        boolean there = Files.isExecutable(BROWSER_PATH) && Files.isExecutable(DRIVER_PATH);
        if (!there) {
            System.err.println("SKIPPED: the page is not tested, there is no " + BROWSER_PATH + " with " + DRIVER_PATH);
            assertThat(System.getenv("CI"))
                    .describedAs("a missing browser is a failure in CI")
                    .isNotEqualTo("true");
        }
        assumeTrue(there);
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
        // Both paths are given: nothing is looked for, and nothing is downloaded.
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER_PATH.toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    /** For what only some tests want. */
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

    /** The page of the server before complains that it is gone. */
    public void openBlankPage() {
        driver.get("about:blank");
        consoleMessages();
    }

    public List<String> consoleMessages() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(Object::toString)
                .toList();
    }

    /** Writes into a field, in place of what is there. */
    public void fillField(String id, String text) {
        WebElement field = driver.findElement(By.id(id));
        field.clear();
        field.sendKeys(text);
    }

    /** What a screen reader would call the button. */
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
