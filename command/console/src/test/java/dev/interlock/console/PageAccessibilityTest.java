package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each view by the rules of axe-core for WCAG 2.2 AA: light and dark, on a screen and on a telephone. It writes a
 * screenshot of each into {@code target/screenshots}.
 */
@Tag("long")
final class PageAccessibilityTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    /** A view, where it is, and a text that it has when it is complete. */
    private record View(String name, String hash, String text) {}

    private static final List<View> VIEWS = List.of(
            new View("overview", "#/", "Busiest"),
            new View("names", "#/names", "orders:"),
            new View("name", "#/name?store=s1&name=orders%3A42", "waiter-1"),
            new View("waits", "#/waits", "1 circle"),
            new View("kinds", "#/kinds", "scheduler"),
            new View("search", "#/search?q=orders", "orders:eu:7"),
            new View("history", "#/history", "orders:42"),
            new View("dialog", "#/name?store=s1&name=nightly-backup", "Force"));

    private static RedisServer redis;
    private static Scene scene;
    private static Console console;
    private static String axe;

    @BeforeAll
    static void start() throws Exception {
        redis = RedisServer.start();
        scene = new Scene(redis);
        console =
                new Consoles().store(redis.uri(), "redis://shown").allowForce().start();
        try (InputStream script = PageAccessibilityTest.class.getResourceAsStream("/axe.min.js")) {
            axe = new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @AfterAll
    static void stop() {
        CHROMIUM.scheme("light");
        console.close();
        scene.close();
        redis.close();
    }

    @ParameterizedTest
    @CsvSource({"light,1280,900", "dark,1280,900", "light,360,800", "dark,360,800"})
    void noView_breaksARule_orIsWiderThanTheScreen(String scheme, int width, int height) throws Exception {
        CHROMIUM.scheme(scheme);
        CHROMIUM.size(width, height);
        CHROMIUM.enter(console);
        for (View view : VIEWS) {
            CHROMIUM.show(view.hash());
            CHROMIUM.awaitText("#view", view.text());
            check(view.name(), scheme, width);
        }
    }

    private static void check(String view, String scheme, int width) throws IOException {
        String what = view + "-" + scheme + "-" + width;
        if (view.equals("dialog")) {
            CHROMIUM.click("[data-action=force]");
            CHROMIUM.awaitCount("dialog[open]", 1);
        }
        Path folder = Files.createDirectories(Path.of(System.getProperty("interlock.target", "target"), "screenshots"));
        Files.write(folder.resolve(what + ".png"), CHROMIUM.screenshot());
        assertThat(violations()).as(what).isEmpty();
        assertThat(CHROMIUM.run("return document.documentElement.scrollWidth - window.innerWidth"))
                .as(what + " is wider than the screen, in pixels")
                .asInstanceOf(InstanceOfAssertFactories.LONG)
                .isLessThanOrEqualTo(0L);
        if (view.equals("dialog")) {
            CHROMIUM.run("document.querySelector('dialog').close()");
        }
    }

    /** What is wrong, each with the rule and where. */
    @SuppressWarnings("unchecked")
    private static List<String> violations() {
        CHROMIUM.run(axe + ";window.axe = axe");
        return (List<String>) Objects.requireNonNull(CHROMIUM.run(
                "return axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa',"
                        + "'best-practice']}).then(found => found.violations.map(rule => rule.id + ': ' + rule.help"
                        + "+ ' ' + rule.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | ')))"));
    }
}
