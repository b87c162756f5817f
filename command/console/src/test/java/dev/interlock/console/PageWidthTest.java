package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.LockStatus.Waiter;
import dev.interlock.Party;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What others have called long, in every view and width: nothing of the page is pushed out of it. */
@Tag("long")
final class PageWidthTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    private static final String LONG = "x".repeat(120);
    private static final String LONG_NAME = "orders:" + "y".repeat(113);

    /** With what each of them shows when it has loaded. */
    private static final Map<String, String> VIEWS =
            Map.of("#/", "Held longest", "#/search", "6 names", "#/history", "hold");

    private static Console console;

    @BeforeAll
    static void start() throws IOException {
        console = new Consoles()
                .client("redis://" + LONG + ".example:6379", ListedStore.client(PageWidthTest::locks, () -> {}), true)
                .client("sqlite:/srv/" + LONG + ".db", ListedStore.client(PageWidthTest::locks, () -> {}), false)
                .allowForce()
                .start();
    }

    private static List<LockStatus> locks() {
        Party party = new Party(LONG, 4711, LONG, LONG);
        Party other = new Party("web-1", 99, "billing", "worker-1");
        return List.of(
                new LockStatus(
                        LONG_NAME,
                        LockKind.LOCK,
                        List.of(holder(1, party, Mode.exclusive())),
                        List.of(new Waiter(owner(2), party, Mode.exclusive(), Duration.ofSeconds(5))),
                        1),
                new LockStatus(
                        "pool", LockKind.SEMAPHORE, List.of(holder(3, other, new Mode.Permits(1, 2))), List.of(), 2),
                new LockStatus("short", LockKind.LOCK, List.of(holder(4, other, Mode.exclusive())), List.of(), 1));
    }

    private static Holder holder(int number, Party party, Mode mode) {
        return new Holder(
                owner(number), party, mode, Duration.ofHours(30), Duration.ofHours(1), 9_007_199_254_740_991L);
    }

    private static String owner(int number) {
        return "%08x-0000-4000-8000-000000000000:1".formatted(number);
    }

    @AfterAll
    static void stop() {
        CHROMIUM.leave();
        console.close();
    }

    @AfterEach
    void theBrowserHasNoComplaint() {
        assertThat(CHROMIUM.messages()).isEmpty();
    }

    @Test
    void aLongName_pushesNothingOutOfThePage() throws IOException {
        Path pictures =
                Files.createDirectories(Path.of(System.getProperty("interlock.target", "target"), "screenshots"));
        for (int width : List.of(360, 800, 1280)) {
            CHROMIUM.size(width, 900);
            CHROMIUM.enter(console);
            VIEWS.forEach((view, text) -> {
                CHROMIUM.show(view);
                CHROMIUM.awaitText("#view", text);
                await().untilAsserted(() ->
                        assertThat(CHROMIUM.count("#view td")).as(view).isPositive());
                write(pictures.resolve("long-" + view.replaceAll("\\?.*|\\W", "") + "-" + width + ".png"));
                assertThat(CHROMIUM.run("return document.documentElement.scrollWidth"
                                + " <= document.documentElement.clientWidth"))
                        .as("%s fits at %s", view, width)
                        .isEqualTo(true);
                assertThat(CHROMIUM.run("return [...document.querySelectorAll('#view .scroller')]"
                                + ".filter(each => each.scrollWidth > each.clientWidth)"
                                + ".map(each => each.ariaLabel + ' ' + each.scrollWidth + ' > ' + each.clientWidth)"
                                + ".join()"))
                        .as("tables of %s that need scrolling at %s", view, width)
                        .isEqualTo("");
            });
        }
        CHROMIUM.size(1280, 900);
    }

    private static void write(Path picture) {
        try {
            Files.write(picture, CHROMIUM.screenshot());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aViewThatThereIsNot_saysSo() {
        CHROMIUM.enter(console);
        for (String view : List.of("#/constructor", "#/__proto__", "#/toString", "#/nothing", "#/name/x")) {
            CHROMIUM.show(view);
            CHROMIUM.awaitText("h1", "Not found");
            CHROMIUM.awaitText("#view", "There is no such view");
            CHROMIUM.show("#/");
            CHROMIUM.awaitText("h1", "Overview");
        }
    }
}
