package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.testkit.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One client with many names, and many waiters for them. */
@Tag("some")
class CrowdTest extends FileTest {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final LeaseTerm LONG = LeaseTerm.fixed(Duration.ofMinutes(5));

    /**
     * P12: however many wait, a client has one thread and one connection, while they wait and while they hold in turn;
     * and one thread and one socket to be woken.
     */
    @Tag(Effort.SCALED)
    @Test
    void P12_manyNames_takeOneThreadAndConnectionPerClient() {
        // Threads of other tests end by themselves.
        await().until(() -> threads("interlock-jdbc") + threads("interlock-jdbc-wakes") == 0);
        int names = Effort.pick(60, 600);
        try (Interlock holder = Interlock.connect("sqlite:" + file);
                Interlock client = Interlock.connect("sqlite:" + file)) {
            List<Lease> held = new ArrayList<>();
            List<CompletableFuture<Void>> waiting = new ArrayList<>();
            for (int i = 0; i < names; i++) {
                held.add(holder.lock("crowd-" + i)
                        .acquireAsync(LONG)
                        .toCompletableFuture()
                        .join());
            }
            for (int i = 0; i < 5 * names / 2; i++) {
                DistributedLock lock = client.lock("crowd-" + i % names);
                waiting.add(lock.acquireAsync(LONG).thenAccept(Lease::close).toCompletableFuture());
            }
            await().until(() -> isWaitedFor(holder, 0) && isWaitedFor(holder, names - 1));
            assertOfTwoClients();
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            assertThat(threads("interlock-jdbc-wakes")).isEqualTo(1);

            held.forEach(Lease::close);
            await().atMost(Duration.ofMinutes(5)).until(() -> {
                assertOfTwoClients();
                return waiting.stream().allMatch(CompletableFuture::isDone);
            });
            CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).join();
            assertOfTwoClients();

            // The control: one more client is noticed.
            try (Client third = new Client(file)) {
                third.hold("another");
                assertThat(threads("interlock-jdbc")).isEqualTo(3);
                assertThat(connections()).isEqualTo(3);
            }
        }
        await().until(() -> threads("interlock-jdbc") + threads("interlock-jdbc-wakes") == 0 && connections() == 0);
        assertThat(directory).isDirectoryNotContaining(path -> path.toString().contains("-wake-"));
    }

    private static boolean isWaitedFor(Interlock client, int name) {
        return !client.lock("crowd-" + name).inspect().waiters().isEmpty();
    }

    private void assertOfTwoClients() {
        assertThat(threads("interlock-jdbc")).isEqualTo(2);
        assertThat(connections()).isEqualTo(2);
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    /** How often this process has the file open: once for each connection. */
    private long connections() {
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return descriptors.filter(this::isTheFile).count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private boolean isTheFile(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException e) {
            // It has just been closed.
            return false;
        }
    }
}
