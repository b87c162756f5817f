package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.TestFiles;
import dev.interlock.spi.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Measures the figures of {@code lab/bench/sql.md}, which has the command. Not a test of the build, hence the name;
 * writes to {@code target/sqlite-figures.txt}.
 */
class SqliteFigures {

    private static final Path DIRECTORY = TestFiles.directory();
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 40_000;
    private static final List<String> LINES = new ArrayList<>();

    @AfterAll
    static void write() throws IOException {
        TestFiles.delete(DIRECTORY);
        Files.write(Path.of(System.getProperty("interlock.target", "target"), "sqlite-figures.txt"), LINES);
    }

    @Test
    void verbs() {
        try (Client client = new Client(DIRECTORY.resolve("verbs.db"))) {
            figure("acquire + release, free lock, pair", () -> client.release(client.hold("free")));
            Claim held = client.hold("held");
            figure("renew of one", () -> client.renew(held));
            figure("inspect", () -> client.inspect("held"));
            figure("try of a held lock", () -> client.isGranted(client.claim("held")));
            Claim waiting = client.claim("held").waiting(java.time.Duration.ofMillis(1));
            figure("poll of a listed waiter", () -> client.isGranted(waiting));
        }
    }

    @Test
    void firstUse() throws IOException {
        long[] nanos = new long[50];
        for (int i = 0; i < nanos.length; i++) {
            Path file = DIRECTORY.resolve("first-" + i % 2 + ".db");
            if (i < 20) {
                Files.deleteIfExists(file);
            }
            long start = System.nanoTime();
            try (Client client = new Client(file)) {
                client.release(client.hold("x"));
                nanos[i] = System.nanoTime() - start;
            }
        }
        line("first use of a new file, loaded JVM", median(Arrays.copyOfRange(nanos, 10, 20)));
        line("first use of an old file, loaded JVM", median(Arrays.copyOfRange(nanos, 25, 50)));
    }

    @Test
    void renewalOfMany() {
        try (Client client = new Client(DIRECTORY.resolve("many.db"))) {
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                claims.add(client.hold("many-" + i));
            }
            long[] nanos = new long[20];
            for (int i = 0; i < nanos.length; i++) {
                long start = System.nanoTime();
                assertThat(Client.answer(client.store().renew(claims))).hasSize(claims.size());
                nanos[i] = System.nanoTime() - start;
            }
            line("renew of 10 000 claims", median(nanos));
        }
    }

    @Test
    void connectionsTogether() throws Exception {
        Path file = DIRECTORY.resolve("together.db");
        line("4 connections, 4 names: pair of each", together(file, 4, true));
        line("4 connections, 1 name: hand-over", together(file, 4, false));
    }

    /** The time from the release to the grant, after a hold of a tenth of a second. */
    @Test
    void handOver() throws InterruptedException {
        String uri = "sqlite:" + DIRECTORY.resolve("hand-over.db");
        try (Interlock holder = Interlock.connect(uri);
                Interlock waiter = Interlock.connect(uri)) {
            long[] nanos = new long[100];
            for (int i = 0; i < nanos.length; i++) {
                Lease held = holder.lock("next").acquire();
                CompletableFuture<Lease> waiting =
                        waiter.lock("next").acquireAsync().toCompletableFuture();
                TimeUnit.MILLISECONDS.sleep(100);
                long start = System.nanoTime();
                held.close();
                Lease next = waiting.join();
                nanos[i] = System.nanoTime() - start;
                next.close();
            }
            line("hand-over to one that waits, after 100 ms", median(nanos));
        }
    }

    private static long together(Path file, int connections, boolean ownNames) throws Exception {
        int rounds = ownNames ? 5_000 : 1_000;
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        long start = System.nanoTime();
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            String name = ownNames ? "own-" + i : "shared";
            workers.add(threads.submit(() -> {
                try (Client client = new Client(file)) {
                    for (int round = 0; round < rounds; round++) {
                        Claim claim = client.claim(name);
                        client.lock(claim);
                        client.release(claim);
                    }
                }
                return null;
            }));
        }
        for (Future<?> worker : workers) {
            worker.get();
        }
        threads.shutdown();
        return (System.nanoTime() - start) / ((long) connections * rounds);
    }

    private static void figure(String what, Runnable work) {
        for (int i = 0; i < WARM_UP; i++) {
            work.run();
        }
        long[] nanos = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            work.run();
            nanos[i] = System.nanoTime() - start;
        }
        line(what, median(nanos));
    }

    private static long median(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }

    private static void line(String what, long nanos) {
        LINES.add(String.format(Locale.ROOT, "%-45s %10.1f us", what, nanos / 1_000.0));
    }
}
