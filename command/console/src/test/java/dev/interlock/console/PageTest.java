package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

/** The page in a real browser, over locks on a real Redis server: its views, what changes, what it may do, its keys. */
@Tag("long")
final class PageTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    private static RedisServer redis;
    private static Scene scene;
    private static Console console;
    private static Interlock other;

    @BeforeAll
    static void start() throws Exception {
        redis = RedisServer.start();
        scene = new Scene(redis);
        other = Interlock.builder(redis.uri()).application("import").build();
        console =
                new Consoles().store(redis.uri(), "redis://shown").allowForce().start();
    }

    @AfterAll
    static void stop() {
        console.close();
        other.close();
        scene.close();
        redis.close();
    }

    @BeforeEach
    void enter() {
        CHROMIUM.enter(console);
    }

    /** Each violation of the content security policy, and each error of a script, would be a message. */
    @AfterEach
    void theBrowserHasNoComplaint() {
        assertThat(CHROMIUM.messages()).isEmpty();
    }

    private static void showName(String name) {
        CHROMIUM.show("#/name?store=s1&name=" + Browser.encode(name));
    }

    @Test
    void theOverview_countsAndNamesWhatPeopleLookFor() {
        CHROMIUM.awaitText(".figures", "held", "waiting", "at risk", "circles");
        CHROMIUM.awaitText(".figure.circle .value", "1");
        CHROMIUM.awaitText("#view", "redis://shown", "up", "Held longest", "Most waited for", "Busiest", "orders:42");
    }

    @Test
    void theTree_opensAGroup_andLeadsToAName() {
        CHROMIUM.show("#/names");
        CHROMIUM.awaitText(".tree", "orders:", "nightly-backup");

        CHROMIUM.click("[role=treeitem][aria-expanded=false]");
        CHROMIUM.awaitText(".tree", "42", "43");

        CHROMIUM.click(".tree a[href*='orders%3A42']");
        CHROMIUM.awaitText("h1", "orders:42");
    }

    @Test
    void aName_saysWhoHolds_whoWaits_andWhatHappened() {
        showName("orders:42");
        CHROMIUM.awaitText(".summary", "A lock, held by billing on");
        CHROMIUM.awaitText("#view", "Waiting 1", "shipping on", "waiter-1", "Durations in the last hour", "Median");
        await().untilAsserted(() ->
                assertThat(CHROMIUM.count(".timeline rect.bar.hold")).isPositive());
        await().untilAsserted(() ->
                assertThat(CHROMIUM.count(".timeline rect.bar.wait")).isPositive());
    }

    @Test
    void theTimeline_canBeMagnified() {
        showName("orders:42");
        CHROMIUM.click("[data-action=window][data-minutes='2']");
        CHROMIUM.awaitText("[data-action=window][aria-pressed=true]", "2 minutes");
    }

    @Test
    void theGraph_marksThreadsThatWaitForEachOther() {
        CHROMIUM.show("#/waits");
        CHROMIUM.awaitText(".note.bad", "1 circle", "waits for right", "waits for left");
        CHROMIUM.awaitCount("#view svg .node.circle", 2);
        CHROMIUM.awaitCount("#view svg .edge.circle", 2);
        // The one who waits for orders:42 is in no circle.
        CHROMIUM.awaitText("#view table", "orders:42", "waiter-1");
    }

    @Test
    void kinds_showLeadersPermitsAndCounts() {
        CHROMIUM.show("#/kinds");
        CHROMIUM.awaitText("#view", "Leaders 1", "scheduler", "pool", "3 of 5", "Latches 1", "ready", "catalogue");
    }

    @Test
    void aSearch_findsNamesAndApplications_andKeepsItsFilters() {
        CHROMIUM.type("/");
        CHROMIUM.type("SHIPPING", Keys.ENTER);
        CHROMIUM.awaitText("#view", "Names with “SHIPPING”", "pool", "orders:eu:7");

        CHROMIUM.run("const s = document.querySelector('select[name=kind]'); s.value = 'semaphore';"
                + "s.dispatchEvent(new Event('change', {bubbles: true}))");
        CHROMIUM.awaitText("#view", "Names with “SHIPPING”", "1 name");
        CHROMIUM.awaitCount("#view tbody tr", 1);
    }

    @Test
    void theHistory_hasHoldsAndWaits_ofANameOrOfAll() {
        CHROMIUM.show("#/history");
        CHROMIUM.awaitText("#view table", "hold", "wait", "orders:42", "pool");
        CHROMIUM.show("#/history?name=pool");
        await().untilAsserted(() ->
                assertThat(CHROMIUM.text("#view table")).contains("still holds").doesNotContain("waiter-1"));
    }

    @Test
    void whatChanges_isShownByItself_andKeepsTheFocus() throws Exception {
        CHROMIUM.show("#/names");
        CHROMIUM.awaitText(".tree", "nightly-backup");
        CHROMIUM.run("document.querySelector('[role=treeitem]').focus()");
        String focused = CHROMIUM.focused();
        try (Lease lease = Scene.hold(other, "a-new-one")) {
            CHROMIUM.awaitText(".tree", "a-new-one");
            assertThat(lease.isValid()).isTrue();
        }
        await().untilAsserted(() -> assertThat(CHROMIUM.text(".tree")).doesNotContain("a-new-one"));
        assertThat(CHROMIUM.focused()).isEqualTo(focused);
    }

    @Test
    void aNameThatIsMarkup_isText() {
        showName(Scene.HOSTILE);
        CHROMIUM.awaitText("h1", Scene.HOSTILE);
        for (String view : new String[] {"#/", "#/names", "#/search", "#/history", "#/waits"}) {
            CHROMIUM.show(view);
            if (!view.equals("#/waits")) {
                CHROMIUM.awaitText("#view", Scene.HOSTILE);
            }
            assertThat(CHROMIUM.count("img, #view script")).as(view).isZero();
        }
        assertThat(CHROMIUM.run("return document.title")).isNotEqualTo("broken into");
    }

    @Test
    void aForce_needsAReasonAndAConfirmation_andEndsTheHold() throws Exception {
        Lease lease = Scene.hold(other, "stuck");
        showName("stuck");
        CHROMIUM.click("[data-action=force]");
        CHROMIUM.awaitText("dialog", "import on", String.valueOf(lease.token()), "loses the lock at once");
        assertThat(CHROMIUM.count("dialog [type=submit]:disabled")).isOne();

        CHROMIUM.type("the host is gone");
        assertThat(CHROMIUM.count("dialog [type=submit]:disabled")).isOne();
        CHROMIUM.click("#confirmed");
        CHROMIUM.click("dialog [type=submit]:enabled");

        CHROMIUM.awaitText(".summary", "Nobody holds it");
        CHROMIUM.awaitText("#view table", "forced", "the host is gone");
        await().until(() -> !lease.isValid());
        CHROMIUM.awaitCount("dialog", 0);
    }

    @Test
    void aDialog_isClosedByEscape_andGivesTheFocusBack() {
        showName("nightly-backup");
        CHROMIUM.awaitText(".summary", "held by billing");
        CHROMIUM.run("const b = document.querySelector('[data-action=force]'); b.focus(); b.click()");
        CHROMIUM.awaitCount("dialog[open]", 1);
        assertThat(CHROMIUM.focused()).isEqualTo("reason");

        CHROMIUM.type(Keys.ESCAPE);
        CHROMIUM.awaitCount("dialog", 0);
        assertThat(CHROMIUM.focused()).startsWith("Force …");
        CHROMIUM.awaitText(".summary", "held by billing");
    }

    @Test
    void withTheKeyboardAlone_oneComesFromTheTreeToAName_andBack() {
        CHROMIUM.type(Keys.TAB);
        assertThat(CHROMIUM.focused()).isEqualTo("Skip to the content");
        CHROMIUM.type(Keys.ENTER);
        assertThat(CHROMIUM.run("return document.activeElement.id")).isEqualTo("main");

        CHROMIUM.show("#/names");
        CHROMIUM.awaitText(".tree", "orders:");
        tabTo("[role=treeitem]");
        assertThat(CHROMIUM.focused()).isEqualTo("orders:");
        // The tree is one stop of the Tab key.
        assertThat(CHROMIUM.count("[role=treeitem][tabindex='0']")).isOne();

        CHROMIUM.type(Keys.ARROW_RIGHT);
        CHROMIUM.awaitText(".tree", "43");
        CHROMIUM.type(Keys.ARROW_DOWN);
        assertThat(CHROMIUM.focused()).isEqualTo("42");
        CHROMIUM.type(Keys.ARROW_LEFT);
        assertThat(CHROMIUM.focused()).isEqualTo("orders:");
        CHROMIUM.type(Keys.END);
        assertThat(CHROMIUM.focused()).isEqualTo("scheduler");
        CHROMIUM.type(Keys.HOME);
        assertThat(CHROMIUM.focused()).isEqualTo("orders:");

        CHROMIUM.type(Keys.ARROW_DOWN, Keys.ENTER);
        CHROMIUM.awaitText("h1", "orders:42");
        assertThat(CHROMIUM.run("return document.activeElement.tagName")).isEqualTo("H1");
        CHROMIUM.run("history.back()");
        CHROMIUM.awaitText(".tree", "43");
    }

    private static void tabTo(String selector) {
        for (int tabs = 0; tabs < 50; tabs++) {
            if (Boolean.TRUE.equals(CHROMIUM.run("return document.activeElement.matches(arguments[0])", selector))) {
                return;
            }
            CHROMIUM.type(Keys.TAB);
        }
        throw new AssertionError("Tab does not reach " + selector);
    }

    @Test
    void theTheme_isThatOfTheSystem_untilOneIsChosen_andStays() throws IOException {
        CHROMIUM.scheme("dark");
        assertThat(background()).isEqualTo("rgb(21, 22, 21)");
        CHROMIUM.click("#theme");
        CHROMIUM.awaitText("#theme", "light");
        assertThat(background()).isEqualTo("rgb(253, 253, 252)");

        CHROMIUM.enter(console);
        assertThat(background()).isEqualTo("rgb(253, 253, 252)");
        CHROMIUM.click("#theme");
        CHROMIUM.click("#theme");
        CHROMIUM.awaitText("#theme", "as the system");
        CHROMIUM.scheme("light");
    }

    private static Object background() {
        return String.valueOf(CHROMIUM.run("return getComputedStyle(document.body).backgroundColor"));
    }
}
