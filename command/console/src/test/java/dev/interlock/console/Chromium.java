package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.Patience;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A real browser for the tests of a class, which registers it. Without Chromium and its driver on the PATH the class is
 * skipped. What the page shows is read by a script: an element that Selenium has found may be another one a moment
 * later.
 */
final class Chromium implements BeforeAllCallback, AfterAllCallback {

    private @Nullable ChromeDriver driver;
    private @Nullable Path profile;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        Optional<Path> chromium = find("chromium");
        Optional<Path> chromedriver = find("chromedriver");
        assumeThat(chromium).as("chromium is on the PATH").isPresent();
        assumeThat(chromedriver).as("chromedriver is on the PATH").isPresent();
        Path target = Path.of(System.getProperty("interlock.target", "target"));
        profile = Files.createTempDirectory(Files.createDirectories(target.toAbsolutePath()), "chromium");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow().toString());
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
        LoggingPreferences logging = new LoggingPreferences();
        logging.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logging);
        // Selenium would look for one itself, and fetch it. The builder of its service has an annotation that it does
        // not
        // bring.
        System.setProperty("webdriver.chrome.driver", chromedriver.orElseThrow().toString());
        driver = new ChromeDriver(options);
        driver.manage().timeouts().scriptTimeout(Patience.limit()).pageLoadTimeout(Patience.limit());
        size(1280, 900);
    }

    private static Optional<Path> find(String program) {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator))
                .map(folder -> Path.of(folder, program).toAbsolutePath())
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (driver != null) {
            driver.quit();
        }
        if (profile != null) {
            try (Stream<Path> files = Files.walk(profile)) {
                files.sorted(Comparator.reverseOrder()).forEach(Chromium::delete);
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ChromeDriver driver() {
        return Objects.requireNonNull(driver);
    }

    /** Enters by the URL that the console prints, as a new browser would. */
    void enter(Console console) {
        // The page before still asks for news, and would complain that it has no cookie.
        leave();
        driver().executeCdpCommand("Network.clearBrowserCookies", Map.of());
        driver().get(console.url());
        awaitText("h1", "Overview");
    }

    /** Leaves the page, which would complain of a console that ends. */
    void leave() {
        driver().get("about:blank");
    }

    /** Shows a view, as {@code #/names}. */
    void show(String hash) {
        run("location.hash = arguments[0]", hash);
    }

    /** The size of the page in pixels. A window cannot be as small as a telephone. */
    void size(int width, int height) {
        driver().executeCdpCommand(
                        "Emulation.setDeviceMetricsOverride",
                        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** What the system prefers: {@code light} or {@code dark}. */
    void scheme(String scheme) {
        driver().executeCdpCommand(
                        "Emulation.setEmulatedMedia",
                        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    @Nullable
    Object run(String script, Object... arguments) {
        return driver().executeScript(script, arguments);
    }

    /** The text of the first element, as it is seen; empty if there is none. */
    String text(String selector) {
        return String.valueOf(run("return document.querySelector(arguments[0])?.innerText ?? ''", selector));
    }

    int count(String selector) {
        return ((Number) Objects.requireNonNull(run("return document.querySelectorAll(arguments[0]).length", selector)))
                .intValue();
    }

    /** Where the focus is: the name that the element shows, or its text, or its id. */
    String focused() {
        return String.valueOf(run("const e = document.activeElement;"
                + "return (e.querySelector('.name')?.innerText || e.innerText || e.id || e.tagName).trim()"));
    }

    void awaitText(String selector, String... parts) {
        await().untilAsserted(() -> assertThat(text(selector)).contains(parts));
    }

    void awaitCount(String selector, int count) {
        await().untilAsserted(() -> assertThat(count(selector)).as(selector).isEqualTo(count));
    }

    /** Presses the element as soon as it is there. */
    void click(String selector) {
        await().ignoreExceptions().until(() -> {
            driver().findElement(By.cssSelector(selector)).click();
            return true;
        });
    }

    /** Types into what has the focus. */
    void type(CharSequence... keys) {
        new Actions(driver()).sendKeys(keys).perform();
    }

    byte[] screenshot() {
        return driver().getScreenshotAs(OutputType.BYTES);
    }

    /** What the browser has to say since it was asked last: among it each violation of the content security policy. */
    List<String> messages() {
        return driver().manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }
}
