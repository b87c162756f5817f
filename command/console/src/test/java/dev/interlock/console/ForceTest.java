package dev.interlock.console;

import static dev.interlock.console.Consoles.list;
import static dev.interlock.console.Consoles.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.console.Browser.Reply;
import dev.interlock.console.Browser.Stream;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ending a claim, and asking its holder, through a console that may. */
final class ForceTest {

    @TempDir
    private Path directory = Path.of(".");

    private RedisServer redis;
    private Interlock client;
    private Console console;
    private Browser browser;

    @BeforeEach
    void start() throws IOException {
        redis = RedisServer.start();
        client = Interlock.builder(redis.uri())
                .application("victim")
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .build();
        console =
                new Consoles().store(redis.uri(), "redis://shown").allowForce().start();
        browser = Browser.of(console);
    }

    @AfterEach
    void close() {
        console.close();
        client.close();
        redis.close();
    }

    @Test
    void aForce_endsTheHolderThatWasSeen_andIsWrittenDown() throws Exception {
        Lease lease = client.lock("job").acquire();
        Map<String, String> form = seen("job");
        try (Stream stream = browser.stream("/api/events")) {
            stream.next();
            Reply reply = browser.post("/api/force", form);

            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
            assertThat(object(reply.json(), "action"))
                    .containsEntry("outcome", "released")
                    .containsEntry("by", "127.0.0.1")
                    .containsEntry("reason", "it <hangs>")
                    .containsEntry("application", "victim")
                    .containsEntry("token", form.get("token"));
            stream.until(event -> event.name().equals("action"));
        }
        await().until(() -> !lease.isValid() || !client.lock("job").isLocked());
        Map<String, Object> history = browser.await("/api/history?name=job", json -> list(json, "records").stream()
                .anyMatch(record -> "forced".equals(record.get("end"))));
        assertThat(list(history, "records"))
                .extracting(record -> record.get("type"))
                .containsExactlyInAnyOrder("force", "hold");
    }

    @Test
    void aForceWhoseStoreAnswersLate_isInTheHistoryAsBegun() throws Exception {
        MemoryStore memory = new MemoryStore();
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (Interlock holder = Interlock.builder(memory.session()).build();
                Lease lease = holder.lock("job").acquire();
                Console slow = console(releasingAfter(answer, memory), Patience.FULL)) {
            Browser other = Browser.of(slow);
            Map<String, String> form = seen(other, "job");
            CompletableFuture<Reply> reply = CompletableFuture.supplyAsync(() -> other.post("/api/force", form));

            assertThat(awaitForce(other, "begun"))
                    .containsEntry("by", "127.0.0.1")
                    .containsEntry("reason", "it <hangs>")
                    .containsEntry("token", String.valueOf(lease.token()));
            assertThat(reply).isNotDone();
            assertThat(holder.lock("job").isLocked()).isTrue();

            answer.complete(true);
            assertThat(object(reply.get().json(), "action")).containsEntry("outcome", "released");
            awaitForce(other, "released");
            assertThat(holder.lock("job").isLocked()).isFalse();
        }
    }

    @Test
    void aForceWhoseStoreNeverAnswers_isInTheHistoryAsFailed() throws Exception {
        MemoryStore memory = new MemoryStore();
        try (Interlock holder = Interlock.builder(memory.session()).build();
                Lease lease = holder.lock("job").acquire();
                Console silent = console(releasingAfter(new CompletableFuture<>(), memory), Duration.ofMillis(100))) {
            Browser other = Browser.of(silent);

            Reply reply = other.post("/api/force", seen(other, "job"));

            assertThat(object(reply.json(), "action")).containsEntry("outcome", "failed");
            awaitForce(other, "failed");
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** Nobody would know who it was. */
    @Test
    void whatCannotBeWrittenDown_isNotDone() throws Exception {
        Path file = directory.resolve("history.db");
        try (Lease lease = client.lock("job").acquire();
                Console writing = new Consoles()
                        .store(redis.uri(), "redis://shown")
                        .allowForce()
                        .history(file, 100)
                        .start();
                Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            Browser other = Browser.of(writing);
            Map<String, String> form = seen(other, "job");
            statement.execute("PRAGMA busy_timeout = " + Patience.limit().toMillis());
            statement.execute("CREATE TRIGGER full BEFORE INSERT ON action BEGIN SELECT RAISE(FAIL, 'no room'); END");

            Reply reply = other.post("/api/force", form);

            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.code()).isEqualTo("history_failed");
            assertThat(reply.body()).contains("Nothing was done", "no room");
            assertThat(lease.isValid()).isTrue();
            assertThat(client.lock("job").isLocked()).isTrue();
        }
    }

    private static Console console(LockStore store, Duration timeout) throws IOException {
        Interlock watching = Interlock.builder(store)
                .storeTimeout(timeout)
                .attemptTimeout(timeout)
                .build();
        return new Consoles().client("memory:", watching, true).allowForce().start();
    }

    /** A store that does not answer a release, nor execute it, before this stage is complete. */
    private static LockStore releasingAfter(CompletionStage<Boolean> stage, LockStore store) {
        return (LockStore) Proxy.newProxyInstance(
                ForceTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class, LockCatalog.class},
                (proxy, method, arguments) -> method.getName().equals("release")
                        ? stage.thenCompose(unused -> store.release((Claim) arguments[0]))
                        : method.invoke(store, arguments));
    }

    /** The only force in the history, when this has come of it. */
    private static Map<String, Object> awaitForce(Browser browser, String outcome) throws InterruptedException {
        Map<String, Object> history = browser.await("/api/history?name=job", json -> list(json, "records").stream()
                .anyMatch(record -> outcome.equals(record.get("outcome"))));
        List<Map<String, Object>> forces = list(history, "records").stream()
                .filter(record -> "force".equals(record.get("type")))
                .toList();
        assertThat(forces).hasSize(1);
        return forces.get(0);
    }

    /** Between the look of a person and the click another may have got the lock. */
    @Test
    void aHolderThatHasComeSince_isNotTouched() throws Exception {
        Lease first = client.lock("job").acquire();
        Map<String, String> form = seen("job");
        first.close();
        Lease second = client.lock("job").acquire();

        Reply reply = browser.post("/api/force", form);

        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.code()).isEqualTo("holder_changed");
        assertThat(second.isValid()).isTrue();
        assertThat(client.lock("job").inspect().holders()).hasSize(1);
        form.put("owner", client.lock("job").inspect().holders().get(0).owner());
        assertThat(browser.post("/api/force", form).code())
                .as("the right owner, another token")
                .isEqualTo("holder_changed");
        form.put("owner", "another");
        form.put("token", String.valueOf(second.token()));
        assertThat(browser.post("/api/force", form).code())
                .as("another owner, the right token")
                .isEqualTo("holder_changed");
        assertThat(client.lock("job").isLocked()).isTrue();
        second.close();
    }

    @Test
    void asking_tellsTheHolder_whoDecides() throws Exception {
        Interlock memory = Interlock.inMemory();
        try (Console asking =
                new Consoles().client("memory:", memory, true).allowForce().start()) {
            AtomicInteger asked = new AtomicInteger();
            Lease lease = memory.lock("job").acquire();
            lease.onRevocationRequested(asked::incrementAndGet);
            Browser other = Browser.of(asking);
            Map<String, String> form = form("job", "", "");

            Reply reply = other.post("/api/ask", form);

            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
            assertThat(object(reply.json(), "action"))
                    .containsEntry("type", "ask")
                    .containsEntry("outcome", "asked")
                    .containsEntry("token", String.valueOf(lease.token()));
            await().until(() -> asked.get() == 1);
            assertThat(lease.isValid()).isTrue();
            assertThat(list(other.json("/api/history?name=job"), "records"))
                    .extracting(record -> record.get("type"))
                    .contains("ask");
            lease.close();
            assertThat(other.post("/api/ask", form).code()).isEqualTo("holder_changed");
            form.put("kind", "semaphore");
            assertThat(other.post("/api/ask", form).code()).isEqualTo("not_supported");
        }
    }

    @Test
    void asking_isForTheHoldersOfThatKindOnly() throws Exception {
        Interlock memory = Interlock.inMemory();
        try (Console asking =
                new Consoles().client("memory:", memory, true).allowForce().start()) {
            List<String> asked = new CopyOnWriteArrayList<>();
            memory.lock("job").acquire().onRevocationRequested(() -> asked.add("lock"));
            memory.readWriteLock("job").readLock().acquire().onRevocationRequested(() -> asked.add("reader"));
            Browser other = Browser.of(asking);
            Map<String, String> form = form("job", "", "");
            form.put("kind", "read_write");

            assertThat(other.post("/api/ask", form).status()).isEqualTo(200);
            await().until(() -> asked.contains("reader"));
            assertThat(other.post("/api/ask", form("job", "", "")).status()).isEqualTo(200);
            await().until(() -> asked.contains("lock"));
            assertThat(asked).containsExactly("reader", "lock");
        }
    }

    @Test
    void aStoreThatCannotAsk_saysSo() throws Exception {
        try (Lease lease = client.lock("job").acquire()) {
            assertThat(browser.post("/api/ask", form(lease.name(), "", "")).code())
                    .isEqualTo("not_supported");
        }
    }

    @Test
    void missingParameters_areNamed() {
        for (String field : new String[] {"store", "name", "kind", "owner", "token", "reason"}) {
            Map<String, String> form = form("job", "owner", "1");
            form.remove(field);

            Reply reply = browser.post("/api/force", form);

            assertThat(reply.status()).as(field).isEqualTo(400);
            assertThat(reply.body()).contains(field);
        }
        assertThat(browser.post("/api/force", form("n".repeat(600), "owner", "1"))
                        .body())
                .contains("512");
    }

    /** What a page shows of the only holder. */
    private Map<String, String> seen(String name) throws InterruptedException {
        return seen(browser, name);
    }

    private static Map<String, String> seen(Browser browser, String name) throws InterruptedException {
        Map<String, Object> json = browser.await(
                "/api/lock?store=s1&name=" + name,
                lock -> !list(lock, "locks").isEmpty()
                        && !list(list(lock, "locks").get(0), "holders").isEmpty());
        Map<String, Object> holder = list(list(json, "locks").get(0), "holders").get(0);
        return form(name, String.valueOf(holder.get("owner")), String.valueOf(holder.get("token")));
    }

    private static Map<String, String> form(String name, String owner, String token) {
        Map<String, String> form = new HashMap<>(Map.of("store", "s1", "name", name, "kind", "lock", "owner", owner));
        form.put("token", token);
        form.put("reason", "it <hangs>");
        return form;
    }
}
