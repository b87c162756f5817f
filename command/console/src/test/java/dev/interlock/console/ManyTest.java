package dev.interlock.console;

import static dev.interlock.console.Consoles.is;
import static dev.interlock.console.Consoles.list;
import static dev.interlock.console.Consoles.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.spi.LockKind;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Crowds on one name, connections that send nothing, looks that do not end: the console goes on, says so, and ends. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ManyTest {

    /** So many that work for each pair of them would take minutes. */
    private static final int CROWD = Effort.pick(20_000, 100_000);

    private final CountDownLatch over = new CountDownLatch(1);

    @TempDir
    private Path directory = Path.of(".");

    private Console console(LockStatus... names) throws IOException {
        return new Consoles()
                .client("listed", ListedStore.client(() -> List.of(names), () -> {}), false)
                .history(directory.resolve("history.db"), 1000)
                .start();
    }

    @Test
    void aCrowdThatWaitsForOneName_isSeen_written_andShownInPart() throws Exception {
        try (Console console = console(ListedStore.crowded("hot", LockKind.LOCK, 1, CROWD))) {
            Browser browser = Browser.of(console);
            browser.await("/api/overview", json -> is(object(json, "totals"), "waiting", (long) CROWD));
            Map<String, Object> lock =
                    list(browser.json("/api/lock?store=s1&name=hot"), "locks").get(0);
            assertThat(lock).containsEntry("held", 1L).containsEntry("waiting", (long) CROWD);
            assertThat(list(lock, "waiters")).hasSize(SeenName.MOST_CLAIMS);
            Map<String, Object> history = browser.json("/api/history?name=hot&limit=1000");
            assertThat(list(history, "records")).hasSize(1000);
            assertThat(history).containsEntry("complete", false).containsEntry("total", CROWD + 1L);
            assertThat(object(browser.json("/api/lock?store=s1&name=hot"), "timeline"))
                    .containsEntry("complete", false)
                    .containsEntry("total", CROWD + 1L);
            assertThat(browser.json("/api/session")).containsEntry("historyProblem", "");
        }
    }

    /** A hundred million edges, of which a few are shown. */
    @Test
    void aCrowdThatWaitsForACrowd_isAGraphInPart() throws Exception {
        try (Console console = console(ListedStore.crowded("hot", LockKind.READ_WRITE, 10_000, 10_000))) {
            Map<String, Object> waits = Browser.of(console)
                    .await("/api/waits", json -> !list(json, "edges").isEmpty());
            assertThat(list(waits, "edges")).hasSize(500);
            assertThat(waits).containsEntry("complete", false).containsEntry("total", 100_000_000L);
            assertThat(list(waits, "circles")).isEmpty();
        }
    }

    /** Not by the name, under which the whole crowd is. */
    @Test
    void aSpan_isFoundByItsOwner_alsoInAnOlderFile() throws Exception {
        Path file = directory.resolve("older.db");
        History.open(file, 10).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP INDEX span_same");
            statement.execute("CREATE INDEX span_owner ON span (owner)");
        }
        History.open(file, 10).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String where : List.of(History.SAME, History.SAME + " AND ended IS NULL", History.MISSED)) {
                try (ResultSet plan = statement.executeQuery("EXPLAIN QUERY PLAN SELECT 1 FROM span WHERE " + where)) {
                    assertThat(plan.next()).isTrue();
                    assertThat(plan.getString("detail")).contains("span_same (store=? AND name=? AND owner=?");
                }
            }
        }
    }

    @Test
    void connectionsThatSendNothing_keepNobodyFromBeingServed() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (Console console = console()) {
            for (int i = 0; i < 60; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.port());
                sockets.add(socket);
                socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(Browser.of(console).get("/").status()).isEqualTo(200);
            assertThat(sockets.stream().filter(ManyTest::isOpen).count())
                    .as("still open")
                    .isGreaterThan(48);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static boolean isOpen(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aLookThatIsOverdue_isTold() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        try (Console console = new Consoles()
                .client("listed", ListedStore.client(this::untilOver, () -> {}), false)
                .clock(now::get)
                .start()) {
            Browser browser = Browser.of(console);
            assertThat(list(browser.json("/api/session"), "stores").get(0)).doesNotContainKey("overdueSince");
            now.updateAndGet(time -> time.plus(StoreWatch.OVERDUE).plusMillis(1));
            browser.await(
                    "/api/session",
                    json -> is(list(json, "stores").get(0), "overdueSince", "2026-01-01T00:00:00.000Z"));
            over.countDown();
            browser.await("/api/session", json -> !list(json, "stores").get(0).containsKey("overdueSince"));
        }
    }

    /** Neither the look nor the client of the store ends. */
    @Test
    void theEnd_waitsForNoLook() throws Exception {
        end(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void theEnd_takesTwoSeconds() throws Exception {
        end(Duration.ofSeconds(2));
    }

    private void end(Duration limit) throws Exception {
        Path file = directory.resolve("busy.db");
        CountDownLatch looking = new CountDownLatch(1);
        Console console = new Consoles()
                .client(
                        "listed",
                        ListedStore.client(
                                () -> {
                                    looking.countDown();
                                    return untilOver();
                                },
                                this::untilOver),
                        false)
                .client("another", ListedStore.client(List::of, () -> {}), false)
                .history(file, 1000)
                .start();
        looking.await();
        try (Connection another = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = another.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            statement.execute("BEGIN IMMEDIATE");
            long began = System.nanoTime();
            console.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(limit);
            statement.execute("ROLLBACK");
        } finally {
            over.countDown();
        }
    }

    private List<LockStatus> untilOver() {
        boolean interrupted = false;
        while (true) {
            try {
                over.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return List.of();
    }
}
