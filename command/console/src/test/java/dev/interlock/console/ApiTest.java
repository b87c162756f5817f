package dev.interlock.console;

import static dev.interlock.console.Consoles.is;
import static dev.interlock.console.Consoles.list;
import static dev.interlock.console.Consoles.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Candidacy;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each request of the API, over a Redis server and an SQLite file at once. */
final class ApiTest {

    private static final List<String> HOSTILE = List.of(
            "<img src=x onerror=alert(1)>",
            "a&b=c#d?e%41",
            "../../etc/passwd",
            "new\nline\rreturn\ttab\0null",
            "'; DROP TABLE span; --",
            "\"quoted\\\"",
            "%' OR '1'='1",
            "\u202Ereversed \u2028 separator",
            "\uD83D\uDD12 emoji",
            " blank ",
            ":",
            "/",
            "a::b",
            "a:");

    private static RedisServer redis;
    private static Path file;
    private static Interlock first;
    private static Interlock second;
    private static Interlock onFile;
    private Console console;
    private Browser browser;

    @BeforeAll
    static void start() throws IOException {
        redis = RedisServer.start();
        Path folder = Files.createDirectories(
                Path.of(System.getProperty("interlock.target", "target")).toAbsolutePath());
        file = Files.createTempFile(folder, "api", ".db");
        first = Interlock.builder(redis.uri()).application("first").build();
        second = Interlock.builder(redis.uri()).application("second").build();
        onFile = Interlock.builder("sqlite:" + file).application("filer").build();
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
        onFile.close();
        redis.close();
    }

    @BeforeEach
    void open() throws IOException {
        redis.command("FLUSHALL");
        console = new Consoles()
                .store(redis.uri(), "redis://shown")
                .store("sqlite:" + file, "sqlite:shown")
                .start();
        browser = Browser.of(console);
    }

    @AfterEach
    void close() {
        console.close();
    }

    @Test
    void session_tellsOfTheStoresWithoutTheirPasswords() throws InterruptedException {
        Map<String, Object> session = browser.await("/api/session", ApiTest::allUp);

        assertThat(session).containsEntry("allowForce", false).containsEntry("historyProblem", "");
        assertThat(list(session, "stores"))
                .extracting(store -> store.get("uri"))
                .containsExactly("redis://shown", "sqlite:shown");
        assertThat(session.toString()).doesNotContain(String.valueOf(redis.port()));
    }

    @Test
    void overview_hasTotalsOfAllStores_andTops() throws InterruptedException {
        try (Lease one = first.lock("overview:a").acquire();
                Lease two = onFile.lock("overview:b").acquire()) {
            Map<String, Object> overview =
                    browser.await("/api/overview", json -> is(object(json, "totals"), "names", 2L));

            assertThat(object(overview, "totals"))
                    .containsEntry("held", 2L)
                    .containsEntry("waiting", 0L)
                    .containsEntry("circles", 0L);
            assertThat(list(overview, "longestHeld"))
                    .extracting(row -> row.get("name"))
                    .containsExactlyInAnyOrder(one.name(), two.name());
            assertThat(object(browser.json("/api/overview?store=s2"), "totals")).containsEntry("names", 1L);
        }
    }

    @Test
    void busiest_countsHoldsThatBegan() throws InterruptedException {
        browser.await("/api/session", ApiTest::allUp);
        for (int i = 1; i <= 3; i++) {
            long holds = i;
            try (Lease lease = first.lock("busy").acquire()) {
                browser.await(
                        "/api/names?q=busy",
                        json -> !list(json, "rows").isEmpty()
                                && is(list(json, "rows").get(0), "holds", holds));
                assertThat(lease.isValid()).isTrue();
            }
            browser.await("/api/names?q=busy", json -> list(json, "rows").isEmpty());
        }
    }

    @Test
    void tree_groupsNames_inWindows() throws InterruptedException {
        List<Lease> leases = List.of("a:1", "a:2", "a:x:1", "a:x:2", "b.1", "b.2", "c", "lonely:child").stream()
                .map(name -> acquired(first, name))
                .toList();
        Map<String, Object> top = browser.await("/api/tree?store=s1", json -> is(json, "total", 4L));

        assertThat(list(top, "nodes"))
                .extracting(node -> node.get("label"))
                .containsExactly("a:", "b.", "c", "lonely:child");
        assertThat(list(top, "nodes").get(0)).containsEntry("type", "group").containsEntry("held", 4L);
        assertThat(list(browser.json("/api/tree?store=s1&prefix=a:"), "nodes"))
                .extracting(node -> node.get("label"))
                .containsExactly("x:", "1", "2");
        assertThat(list(browser.json("/api/tree?store=s1&prefix=a:&offset=1&limit=1"), "nodes"))
                .extracting(node -> node.get("label"))
                .containsExactly("1");
        assertThat(browser.json("/api/tree?store=s1&offset=99")).containsEntry("total", 4L);
        leases.forEach(Lease::close);
    }

    @Test
    void names_areFoundByNameAndParty_andFiltered() throws InterruptedException {
        try (Lease lock = first.lock("found-name").acquire();
                Lease other = onFile.lock("other").acquire()) {
            browser.await("/api/names", json -> is(json, "total", 2L));

            assertThat(found("/api/names?q=FOUND-")).containsExactly(lock.name());
            assertThat(found("/api/names?q=filer")).containsExactly(other.name());
            assertThat(found("/api/names?q=" + ProcessHandle.current().pid())).containsExactly("found-name", "other");
            assertThat(found("/api/names?q=nobody")).isEmpty();
            assertThat(found("/api/names?state=held&kind=lock&sort=held&store=s2"))
                    .containsExactly("other");
            assertThat(found("/api/names?state=waiting")).isEmpty();
            assertThat(found("/api/names?kind=semaphore")).isEmpty();
            assertThat(found("/api/names?limit=1&offset=1")).containsExactly("other");
        }
    }

    private List<Object> found(String path) {
        return list(browser.json(path), "rows").stream()
                .map(row -> row.get("name"))
                .toList();
    }

    @Test
    void aName_hasHolderWaiterAndTimeline() throws Exception {
        Lease held = first.lock("job").acquire();
        CompletionStage<Lease> waiting = second.lock("job").acquireAsync();
        Map<String, Object> lock = browser.await(
                "/api/lock?store=s1&name=job",
                json -> !list(json, "locks").isEmpty()
                        && !list(list(json, "locks").get(0), "waiters").isEmpty());

        Map<String, Object> holder = list(list(lock, "locks").get(0), "holders").get(0);
        assertThat(holder)
                .containsEntry("application", "first")
                .containsEntry("token", String.valueOf(held.token()))
                .containsEntry("mode", "exclusive")
                .containsEntry("atRisk", false);
        assertThat(list(list(lock, "locks").get(0), "waiters").get(0)).containsEntry("application", "second");

        held.close();
        Lease next = waiting.toCompletableFuture().get();
        Map<String, Object> after = browser.await(
                "/api/lock?store=s1&name=job",
                json -> list(object(json, "timeline"), "spans").stream()
                                .filter(span -> "hold".equals(span.get("type")))
                                .count()
                        == 2);
        // Also if a look between the wake and the grant found the second neither waiting nor holding.
        assertThat(list(object(after, "timeline"), "spans"))
                .extracting(span -> span.get("type") + " " + span.get("application") + " " + span.get("end"))
                .containsExactlyInAnyOrder("hold second null", "hold first ended", "wait second granted");
        assertThat(object(object(after, "percentiles"), "hold")).containsEntry("count", 1L);
        next.close();
    }

    @Test
    void elections_semaphores_latches_areToldApart() throws InterruptedException {
        Candidacy candidacy = first.election("leader").join(leadership -> new CountDownLatch(1).await());
        DistributedSemaphore semaphore = first.semaphore("permits", 5);
        Lease permits = semaphore.acquire(2);
        first.latch("latch").trySetCount(3);

        Map<String, Object> names = browser.await("/api/names", json -> is(json, "total", 3L));
        assertThat(list(names, "rows"))
                .satisfiesExactlyInAnyOrder(
                        row -> assertThat(row).containsEntry("name", "leader").containsEntry("election", true),
                        row -> assertThat(row)
                                .containsEntry("name", "permits")
                                .containsEntry("count", 5L)
                                .containsEntry("permits", 2L),
                        row -> assertThat(row).containsEntry("name", "latch").containsEntry("count", 3L));
        assertThat(found("/api/names?kind=election")).containsExactly("leader");
        assertThat(found("/api/names?kind=latch")).containsExactly("latch");
        assertThat(object(browser.json("/api/overview"), "totals"))
                .containsEntry("elections", 1L)
                .containsEntry("semaphores", 1L)
                .containsEntry("latches", 1L);
        candidacy.close();
        permits.close();
    }

    @Test
    void waits_showACircle() throws Exception {
        Lease a = first.lock("left").acquire();
        Lease b = second.lock("right").acquire();
        // The thread that asks is the one that holds.
        CompletionStage<Lease> toRight = first.lock("right").acquireAsync();
        CompletionStage<Lease> toLeft = second.lock("left").acquireAsync();

        Map<String, Object> waits =
                browser.await("/api/waits", json -> list(json, "circles").size() == 1);

        assertThat(list(waits, "edges")).hasSize(2).allSatisfy(edge -> assertThat(edge)
                .containsEntry("circle", 1L));
        assertThat(list(waits, "nodes"))
                .extracting(node -> node.get("application"))
                .containsExactlyInAnyOrder("first", "second");
        assertThat(object(browser.json("/api/overview"), "totals")).containsEntry("circles", 1L);
        a.close();
        b.close();
        toRight.thenAccept(Lease::close).toCompletableFuture().get();
        toLeft.thenAccept(Lease::close).toCompletableFuture().get();
    }

    @Test
    void hostileNames_goThroughEveryRequest() throws Exception {
        for (String store : List.of("s1", "s2")) {
            List<Lease> leases = HOSTILE.stream()
                    .map(name -> acquired(store.equals("s1") ? first : onFile, name))
                    .toList();
            browser.await("/api/names?store=" + store, json -> is(json, "total", (long) HOSTILE.size()));
            assertThat(browser.get("/api/names?store=" + store).body())
                    .as("safe on a terminal")
                    .doesNotContain("\u202E", "\u2028");
            for (String name : HOSTILE) {
                hostileNameGoesThroughEveryRequest(store, name);
            }
            leases.forEach(Lease::close);
            browser.await("/api/names?store=" + store, json -> is(json, "total", 0L));
        }
    }

    private void hostileNameGoesThroughEveryRequest(String store, String name) {
        String query = "?store=" + store + "&name=" + Browser.encode(name);
        String prefix = "?store=" + store + "&prefix=" + Browser.encode(name);
        Map<String, Object> seen = browser.json("/api/lock" + query);
        assertThat(list(seen, "locks")).singleElement().satisfies(found -> assertThat(found)
                .containsEntry("name", name));
        assertThat(list(object(seen, "timeline"), "spans")).isNotEmpty().allSatisfy(span -> assertThat(span)
                .containsEntry("name", name));
        assertThat(found("/api/names?store=" + store + "&q=" + Browser.encode(name)))
                .contains(name);
        assertThat(list(browser.json("/api/history" + query), "records")).isNotEmpty();
        assertThat(list(browser.json("/api/locks" + prefix), "locks")).isNotEmpty();
        assertThat(browser.json("/api/tree" + prefix).get("total")).isNotEqualTo(0L);
    }

    /**
     * Another client has done it, for example the command: the store remembers. A deleted claim may have been released.
     */
    @Test
    void holdThatAnotherClientForced_isForced_notCalledReleased() throws Exception {
        Lease forced = acquired(first, "forced");
        Lease released = acquired(first, "released");
        for (String name : List.of("forced", "released")) {
            browser.await(
                    "/api/lock?store=s1&name=" + name, json -> endsOf(json).contains("null"));
        }
        assertThat(second.administration().forceUnlock("forced")).isTrue();
        released.close();
        Map<String, Object> one = browser.await(
                "/api/lock?store=s1&name=forced", json -> !endsOf(json).contains("null"));
        Map<String, Object> other = browser.await(
                "/api/lock?store=s1&name=released", json -> !endsOf(json).contains("null"));
        assertThat(endsOf(one)).containsExactly("forced");
        assertThat(endsOf(other)).containsExactly("ended");
        forced.close();
    }

    private static List<String> endsOf(Map<String, Object> lock) {
        return list(object(lock, "timeline"), "spans").stream()
                .map(span -> String.valueOf(span.get("end")))
                .toList();
    }

    private static Lease acquired(Interlock client, String name) {
        return client.lock(name).acquireAsync().toCompletableFuture().join();
    }

    @Test
    void wrongParameters_areRefusedWithAReason() {
        assertThat(browser.get("/api/tree").code()).isEqualTo("bad_request");
        assertThat(browser.get("/api/tree?store=s9").code()).isEqualTo("not_found");
        assertThat(browser.get("/api/lock?store=s1").body()).contains("'name' is missing");
        assertThat(browser.get("/api/names?state=wild").body()).contains("held, waiting, at_risk");
        assertThat(browser.get("/api/names?limit=0").body()).contains("from 1 to 1000");
        assertThat(browser.get("/api/names?limit=9999").status()).isEqualTo(400);
        assertThat(browser.get("/api/names?offset=-1").status()).isEqualTo(400);
        assertThat(browser.get("/api/names?q=%zz").status()).isEqualTo(400);
        assertThat(browser.get("/api/names?q=a&q=b").body()).contains("more than one");
        assertThat(browser.get("/api/history?since=yesterday").body()).contains("since");
        assertThat(browser.get("/api/nothing").code()).isEqualTo("not_found");
    }

    private static boolean allUp(Map<String, Object> json) {
        return list(json, "stores").stream().allMatch(store -> "up".equals(store.get("state")));
    }
}
