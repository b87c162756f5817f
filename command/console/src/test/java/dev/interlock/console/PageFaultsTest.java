package dev.interlock.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

/** The page of a console that is read-only, whose store goes away or has very many names, or that ends. */
@Tag("long")
final class PageFaultsTest {

    private static final int MANY = 10_000;

    /** More than fit on the screen, with those above and below. */
    private static final int MOST_ROWS = 80;

    /** Not renewed, so that none is lost while the machine is busy. */
    private static final LeaseTerm FOREVER = LeaseTerm.fixed(Duration.ofHours(1));

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    private RedisServer redis;
    private Interlock client;
    private Console console;

    @BeforeEach
    void start() throws Exception {
        redis = RedisServer.start();
        // Ten thousand requests at once take their time on a busy machine.
        client = Interlock.builder(redis.uri())
                .application("billing")
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .build();
        console = new Consoles().store(redis.uri(), "redis://shown").start();
    }

    @AfterEach
    void close() {
        console.close();
        client.close();
        redis.close();
    }

    @Test
    void aStoreThatIsDown_isReported_andThePageGoesOnByItself() throws Exception {
        CHROMIUM.enter(console);
        CHROMIUM.awaitText(".figures", "0");
        redis.kill();
        CHROMIUM.awaitText("#banner", "redis://shown does not answer since", "The console tries again.");
        CHROMIUM.awaitText("#view table", "does not answer");

        redis.restart();
        CHROMIUM.awaitText("#banner", "redis://shown answers again");
        try (Lease lease = Scene.hold(client, "afterwards")) {
            CHROMIUM.awaitText("#view", "afterwards");
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void aConsoleThatIsReadOnly_saysSo_andHasNoButtons() throws Exception {
        try (Lease lease = Scene.hold(client, "job")) {
            CHROMIUM.enter(console);
            CHROMIUM.show("#/name?store=s1&name=job");
            CHROMIUM.awaitText("#view", "This console is read-only. Start it with --allow-force to force or ask.");
            CHROMIUM.awaitCount("[data-action=force], [data-action=ask]", 0);
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void aConsoleThatEnds_isReported() {
        CHROMIUM.enter(console);
        CHROMIUM.awaitText("#live", "Live");
        console.close();
        CHROMIUM.awaitText("#banner", "The console does not answer.");
        CHROMIUM.awaitText("#live", "Not live");
    }

    @Test
    void ofTenThousandNames_onlyTheRowsThatAreSeenHaveElements() throws Exception {
        List<CompletableFuture<Lease>> leases = new ArrayList<>();
        for (int number = 0; number < MANY; number++) {
            String name = "orders:" + (100_000 + number);
            leases.add(client.lock(name).acquireAsync(FOREVER).toCompletableFuture());
        }
        for (CompletableFuture<Lease> lease : leases) {
            lease.join();
        }
        CHROMIUM.enter(console);
        CHROMIUM.awaitText(".figures", "10,000");
        CHROMIUM.show("#/names");
        // A group that is alone is open.
        CHROMIUM.awaitText(".tree", "100000", "100001");
        assertThat(CHROMIUM.count("[role=treeitem]")).isBetween(10, MOST_ROWS);

        CHROMIUM.run("document.querySelector('[role=treeitem]').focus()");
        CHROMIUM.type(Keys.END);
        await().untilAsserted(() -> assertThat(CHROMIUM.focused()).isEqualTo("109999"));
        assertThat(CHROMIUM.count("[role=treeitem]")).isBetween(10, MOST_ROWS);
        assertThat(CHROMIUM.run("return document.activeElement.getAttribute('aria-posinset')"))
                .isEqualTo("10000");

        // A name that is new has its place below what is seen.
        try (Lease lease = Scene.hold(client, "orders:999999")) {
            await().untilAsserted(() -> {
                CHROMIUM.type(Keys.END);
                assertThat(CHROMIUM.focused()).isEqualTo("999999");
            });
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(CHROMIUM.count("[role=treeitem]")).isBetween(10, MOST_ROWS);
    }
}
