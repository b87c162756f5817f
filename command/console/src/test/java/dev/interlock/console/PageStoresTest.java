package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.Lease;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The page over several stores at once: a Redis server, an SQLite file, and the memory of this JVM, which can ask. */
@Tag("long")
final class PageStoresTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private Path directory = Path.of(".");

    private RedisServer redis;
    private Interlock onRedis;
    private Interlock onFile;
    private Interlock inMemory;
    private Console console;

    @BeforeEach
    void start() throws Exception {
        redis = RedisServer.start();
        String file = "sqlite:" + directory.resolve("locks.db");
        MemoryStore memory = new MemoryStore();
        onRedis = client(Interlock.builder(redis.uri()).application("billing"));
        onFile = client(Interlock.builder(file).application("reports"));
        inMemory = client(Interlock.builder(memory.session()).application("import"));
        console = new Consoles()
                .store(redis.uri(), "redis://shown")
                .store(file, "sqlite:shown")
                .client("memory:shown", Interlock.builder(memory).build(), true)
                .allowForce()
                .start();
        CHROMIUM.enter(console);
    }

    private static Interlock client(InterlockBuilder builder) {
        return builder.storeTimeout(Patience.FULL).build();
    }

    /** Each violation of the content security policy, and each error of a script, would be a message. */
    @AfterEach
    void close() {
        try {
            assertThat(CHROMIUM.messages()).isEmpty();
        } finally {
            CHROMIUM.leave();
            console.close();
            inMemory.close();
            onFile.close();
            onRedis.close();
            redis.close();
        }
    }

    @Test
    void eachStore_isShownByItself_andAllTogether() throws Exception {
        Lease invoice = Scene.hold(onRedis, "invoice");
        Lease summary = Scene.hold(onFile, "summary");
        Lease shared = Scene.hold(onRedis, "shared");
        Lease sharedToo = Scene.hold(onFile, "shared");
        CHROMIUM.awaitText("#view", "redis://shown", "sqlite:shown", "memory:shown", "invoice", "summary");
        // One name on two stores is two locks: each has its store beside it.
        await().untilAsserted(() -> assertThat(CHROMIUM.text(".lists section"))
                .containsOnlyOnce("invoice\nredis://shown")
                .containsOnlyOnce("shared\nredis://shown")
                .containsOnlyOnce("shared\nsqlite:shown"));

        CHROMIUM.show("#/names");
        CHROMIUM.awaitText(".tree", "redis://shown", "sqlite:shown", "memory:shown");
        CHROMIUM.click("[role=treeitem][data-key='store s2']");
        CHROMIUM.awaitText(".tree", "summary", "shared");
        assertThat(CHROMIUM.text(".tree")).doesNotContain("invoice");
        CHROMIUM.click("[role=treeitem][data-key='store s1']");
        CHROMIUM.awaitText(".tree", "summary", "invoice");

        CHROMIUM.show("#/search");
        CHROMIUM.awaitText("#view tbody", "invoice", "summary");
        choose("s2");
        awaitOnly("summary", "invoice");
        choose("s1");
        awaitOnly("invoice", "summary");

        CHROMIUM.show("#/history?store=s2");
        awaitOnly("summary", "invoice");
        choose("s1");
        awaitOnly("invoice", "summary");

        CHROMIUM.show("#/name?store=s1&name=shared");
        CHROMIUM.awaitText(".summary", "held by billing");
        CHROMIUM.awaitText(".crumbs", "redis://shown");
        CHROMIUM.show("#/name?store=s2&name=shared");
        CHROMIUM.awaitText(".summary", "held by reports");
        CHROMIUM.awaitText(".crumbs", "sqlite:shown");
        shared.close();
        CHROMIUM.show("#/name?store=s1&name=shared");
        CHROMIUM.awaitText(".summary", "Nobody holds it");
        assertThat(sharedToo.isValid()).isTrue();
        assertThat(invoice.isValid() && summary.isValid()).isTrue();
    }

    private static void choose(String store) {
        CHROMIUM.awaitCount("select[name=store]", 1);
        CHROMIUM.run(
                "const s = document.querySelector('select[name=store]'); s.value = arguments[0];"
                        + "s.dispatchEvent(new Event('change', {bubbles: true}))",
                store);
    }

    private static void awaitOnly(String name, String other) {
        await().untilAsserted(() ->
                assertThat(CHROMIUM.text("#view tbody")).contains(name).doesNotContain(other));
    }

    @Test
    void whileOneStoreIsDown_theOthersGoOn_andItComesBackByItself() throws Exception {
        Lease summary = Scene.hold(onFile, "summary");
        CHROMIUM.awaitText("#view", "summary");

        redis.kill();
        CHROMIUM.awaitText("#banner", "redis://shown does not answer since", "The console tries again.");
        try (Lease lease = Scene.hold(onFile, "meanwhile")) {
            CHROMIUM.awaitText("#view", "meanwhile", "summary");
            CHROMIUM.awaitText("#live", "Live");
            assertThat(CHROMIUM.text("#banner")).contains("redis://shown").doesNotContain("sqlite:", "memory:");
            assertThat(lease.isValid()).isTrue();
        }
        await().untilAsserted(() -> assertThat(CHROMIUM.text("#view")).doesNotContain("meanwhile"));

        redis.restart();
        await().untilAsserted(() -> assertThat(CHROMIUM.text("#banner")).doesNotContain("does not answer"));
        try (Lease lease = Scene.hold(onRedis, "afterwards")) {
            CHROMIUM.awaitText("#view", "afterwards", "summary");
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(summary.isValid()).isTrue();
    }

    @Test
    void anAsk_needsAReasonAndAConfirmation_andTheHolderHearsIt() throws Exception {
        Lease lease = Scene.hold(inMemory, "nightly");
        AtomicInteger asked = new AtomicInteger();
        lease.onRevocationRequested(asked::incrementAndGet);
        CHROMIUM.show("#/name?store=s3&name=nightly");
        CHROMIUM.click("[data-action=ask]:enabled");
        CHROMIUM.awaitText(
                "dialog",
                "Ask the holders of nightly to let go",
                "import on",
                "They are told that somebody wants it, and decide themselves.",
                "is asked to let go");
        assertThat(CHROMIUM.count("dialog [type=submit]:disabled")).isOne();

        CHROMIUM.click("#confirmed");
        assertThat(CHROMIUM.count("dialog [type=submit]:disabled")).isOne();
        CHROMIUM.click("#reason");
        CHROMIUM.type("the <b>disk</b> is full");
        assertThat(asked).hasValue(0);
        CHROMIUM.click("dialog [type=submit]:enabled");

        CHROMIUM.awaitCount("dialog", 0);
        await().until(() -> asked.get() == 1);
        CHROMIUM.awaitText("#view", "asked", "the <b>disk</b> is full");
        CHROMIUM.awaitText(".summary", "held by import");
        assertThat(lease.isValid()).isTrue();

        lease.close();
        CHROMIUM.awaitText(".summary", "Nobody holds it");
        CHROMIUM.show("#/history?store=s3&name=nightly");
        CHROMIUM.awaitText("#view tbody", "import on", "released", "asked", "by 127.0.0.1: the <b>disk</b> is full");
        assertThat(asked).hasValue(1);
    }

    @Test
    void aStoreThatCannotAsk_saysSo_andHasNoButtonForIt() throws Exception {
        try (Lease lease = Scene.hold(onFile, "nightly")) {
            CHROMIUM.show("#/name?store=s2&name=nightly");
            CHROMIUM.awaitText("#view", "This store cannot ask holders to let go.");
            CHROMIUM.awaitCount("[data-action=ask]:disabled", 1);
            CHROMIUM.awaitCount("[data-action=force]:enabled", 1);
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** What separates names, parameters and lines elsewhere is part of a name here. */
    @Test
    void aNameThatWouldMislead_isShownByEscapes_andFound() throws Exception {
        String name = "a&store=s9#\u202Egpj.exe\n%2e\"'";
        try (Lease lease = Scene.hold(onFile, name)) {
            CHROMIUM.show("#/search?q=gpj");
            CHROMIUM.awaitText("#view tbody", "a&store=s9#\\u{202E}gpj.exe\\n%2e\"'");
            CHROMIUM.click("#view tbody a");
            CHROMIUM.awaitText("h1", "a&store=s9#\\u{202E}gpj.exe\\n%2e\"'");
            CHROMIUM.awaitText(".summary", "held by reports");
            assertThat(lease.isValid()).isTrue();
        }
    }
}
