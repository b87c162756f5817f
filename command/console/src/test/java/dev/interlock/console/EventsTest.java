package dev.interlock.console;

import static dev.interlock.console.Consoles.is;
import static dev.interlock.console.Consoles.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.console.Browser.Event;
import dev.interlock.console.Browser.Stream;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What pages are told, and how much of it. */
@Tag("wide")
final class EventsTest {

    private static final int MANY = 10_000;

    /** Not renewed, so that none is lost or at risk while the machine is busy. */
    private static final LeaseTerm FOREVER = LeaseTerm.fixed(Duration.ofHours(1));

    @Test
    void aChange_isOneSmallEvent_amongManyNames() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Interlock client = patient(redis.uri());
                Console console = new Consoles().store(redis.uri()).start()) {
            List<CompletionStage<Lease>> leases = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                leases.add(client.lock("many:" + i % 100 + ":" + i).acquireAsync(FOREVER));
            }
            for (CompletionStage<Lease> lease : leases) {
                lease.toCompletableFuture().get();
            }
            Browser browser = Browser.of(console);
            browser.await("/api/tree?store=s1", json -> list(json, "nodes").stream()
                    .anyMatch(node -> is(node, "names", (long) MANY)));
            assertThat(browser.get("/api/tree?store=s1&prefix=many:&limit=50")
                            .body()
                            .length())
                    .as("bytes of a window")
                    .isLessThan(50 * 250);

            try (Stream stream = ofWhatComes(browser)) {
                stream.until(event -> event.name().equals("changes"));
                try (Lease lease = client.lock("one").acquire()) {
                    Event change = last(stream.until(event -> event.name().equals("changes")));

                    assertThat(change.data()).containsEntry("complete", true);
                    assertThat(list(change.data(), "rows")).singleElement().satisfies(row -> assertThat(row)
                            .containsEntry("name", lease.name()));
                    assertThat(change.bytes()).isLessThan(1000);
                }
                Event gone = last(stream.until(event -> event.name().equals("changes")));
                assertThat(list(gone.data(), "gone")).singleElement().satisfies(key -> assertThat(key)
                        .containsEntry("name", "one"));

                // All at once: the page is told to ask again, and not what.
                for (CompletionStage<Lease> lease : leases) {
                    lease.toCompletableFuture().get().releaseAsync();
                }
                List<Event> storm = stream.until(
                        event -> event.name().equals("totals") && total(event).equals(0L));
                assertThat(storm).allSatisfy(event -> assertThat(event.bytes()).isLessThan(100_000));
                assertThat(storm)
                        .filteredOn(event -> event.name().equals("changes"))
                        .allSatisfy(
                                event -> assertThat(list(event.data(), "rows").size()
                                                + list(event.data(), "gone").size())
                                        .isLessThanOrEqualTo(Console.MOST_ROWS));
            }
        }
    }

    /** Ten thousand requests at once take their time on a busy machine. */
    private static Interlock patient(String uri) {
        return Interlock.builder(uri)
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .build();
    }

    /** A stream to which no event comes late of what was seen before. */
    private static Stream ofWhatComes(Browser browser) throws Exception {
        Object seen = lastLook(browser.json("/api/session"));
        // One thread looks and tells: when it has looked again, it has told of the look before.
        browser.await("/api/session", json -> !seen.equals(lastLook(json)));
        return browser.stream("/api/events");
    }

    private static Object lastLook(Map<String, Object> session) {
        return list(session, "stores").get(0).getOrDefault("lastLook", "none");
    }

    private static Object total(Event event) {
        return Consoles.object(event.data(), "totals").getOrDefault("names", "none");
    }

    private static Event last(List<Event> events) {
        return events.get(events.size() - 1);
    }

    /** Renewals change nothing that a page shows. */
    @Test
    void aRenewal_isNoEvent() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Interlock client = patient(redis.uri());
                Console console = new Consoles()
                        .store(redis.uri())
                        .beat(Duration.ofMillis(10))
                        .start();
                Lease lease = client.lock("renewed").acquire(FOREVER)) {
            Browser browser = Browser.of(console);
            browser.await("/api/lock?store=s1&name=renewed", json -> !list(json, "locks")
                    .isEmpty());
            try (Stream stream = ofWhatComes(browser)) {
                // The same request as a renewal, but one that is not late while the machine is busy.
                lease.extend(FOREVER.length().multipliedBy(2));
                browser.await(
                        "/api/lock?store=s1&name=renewed",
                        json -> Boolean.TRUE.equals(list(list(json, "locks").get(0), "holders")
                                .get(0)
                                .get("renewed")));
                List<Event> all = stream.until(event -> event.name().equals("beat"));
                client.lock("marker").acquire().close();
                try (Lease marker = client.lock("marker").acquire()) {
                    List<Event> events =
                            stream.until(event -> event.data().toString().contains(marker.name()));
                    all.addAll(events);
                    assertThat(all)
                            .filteredOn(event -> event.data().toString().contains("renewed"))
                            .isEmpty();
                }
            }
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void aStoreThatGoesAwayAndComesBack_isToldOf() throws Exception {
        try (RedisServer redis = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(redis);
                Interlock client = patient(redis.uri());
                Console console = new Consoles()
                        .store(redis.uriAt(proxy.port()), "redis://shown")
                        .start();
                Lease lease = client.lock("job").acquire()) {
            Browser browser = Browser.of(console);
            browser.await("/api/names", json -> is(json, "total", 1L));
            try (Stream stream = browser.stream("/api/events")) {
                stream.until(event -> state(event).equals("up"));
                proxy.refuse();
                proxy.reset();
                Event down = last(stream.until(event -> state(event).equals("down")));

                assertThat(String.valueOf(list(down.data(), "stores").get(0).get("message")))
                        .startsWith("explained: ");
                assertThat(browser.json("/api/names")).containsEntry("total", 1L);
                assertThat(lease.isValid()).isTrue();

                proxy.heal();
                Event up = last(stream.until(event -> state(event).equals("up")));
                assertThat(list(up.data(), "stores").get(0))
                        .containsEntry("message", "")
                        .containsEntry("held", 1L);
            }
            Map<String, Object> lock = browser.json("/api/lock?store=s1&name=job");
            assertThat(list(Consoles.object(lock, "timeline"), "spans"))
                    .singleElement()
                    .satisfies(span -> assertThat(span).doesNotContainKey("end"));
            // The hour before the console ran, and the time without the store.
            assertThat(list(Consoles.object(lock, "timeline"), "unseen")).hasSize(2);
        }
    }

    private static String state(Event event) {
        return event.name().equals("stores")
                ? String.valueOf(list(event.data(), "stores").get(0).get("state"))
                : "";
    }

    @Test
    void aClientThatDoesNotRead_isCutOff_andNobodyWaitsForIt() throws Exception {
        Events events = new Events(Duration.ofHours(1));
        ExecutorService threads = Executors.newCachedThreadPool();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            assertThat(events.enter()).isTrue();
            events.serve(exchange, null, List::of);
        });
        server.start();
        try (Socket silent = new Browser(server.getAddress().getPort()).connect("/")) {
            await().until(() -> events.streams() == 1);
            Events.Event event = new Events.Event("changes", null, Map.of("text", "x".repeat(100_000)));
            // Far more than all buffers between them take.
            await().pollInterval(Duration.ofMillis(1)).until(() -> {
                events.publish(event);
                return events.streams() == 0;
            });
            assertThat(silent.isClosed()).isFalse();
        } finally {
            server.stop(0);
            threads.shutdownNow();
        }
    }

    @Test
    void streams_areBounded_andTheirPlacesComeBack() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Console console = new Consoles()
                        .store(redis.uri())
                        .beat(Duration.ofMillis(10))
                        .start()) {
            Browser browser = Browser.of(console);
            List<Stream> streams = new ArrayList<>();
            for (int i = 0; i < Events.MOST_STREAMS; i++) {
                Stream stream = browser.stream("/api/events");
                stream.next();
                streams.add(stream);
            }
            assertThat(browser.get("/api/events").code()).isEqualTo("too_many_clients");
            assertThat(browser.get("/api/session").status()).isEqualTo(200);
            for (Stream stream : streams) {
                stream.close();
            }
            await().until(() -> {
                try (Stream again = browser.stream("/api/events?store=s1")) {
                    return !again.next().name().equals(Stream.REFUSED);
                } catch (AssertionError | IOException e) {
                    return false;
                }
            });
        }
    }
}
