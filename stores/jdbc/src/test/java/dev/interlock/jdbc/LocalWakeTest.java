package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.RefusingConnections;
import dev.interlock.jdbc.wake.WakeSocketsTest;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waiters on an SQLite file are woken over sockets beside it, or poll where there can be none. */
class LocalWakeTest extends FileTest {

    /** A waiter that polls is listed for at least this long after its last request. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(1_900);

    private static final String NAME = CounterMain.NAME;

    /** The store makes waiters ask again earlier than this. */
    private static final Duration NEVER = Duration.ofSeconds(50);

    private static final Duration SOON = Duration.ofMinutes(5);

    /** A waiter whose process was killed is replaced by the next one when the lock is released. */
    @Test
    void I05_turnOfADeadWaiter_passesOn() throws Exception {
        Files.writeString(directory.resolve("number"), "0");
        List<Wake> received = new CopyOnWriteArrayList<>();
        try (Client a = new Client(file);
                Client b = new Client(file)) {
            b.store().onWake(received::add);
            Claim held = a.hold(NAME);
            try (ChildJvm victim = ChildJvm.start(
                    CounterMain.class,
                    file.toString(),
                    directory.resolve("number").toString(),
                    "1",
                    Long.toString(Client.LONG_LEASE.toMillis()))) {
                victim.await("ready", SOON);
                victim.send("go");
                await().until(() -> a.inspect(NAME).waiters().size() == 1);
                assertThat(sockets(file)).hasSize(1);
                victim.kill();
            }
            Claim next = b.await(NAME, Duration.ZERO);
            // The dead waiter is still the first one.
            assertThat(rows.number("SELECT count(DISTINCT channel) FROM interlock_claim WHERE state = 'W'"))
                    .isEqualTo(2);

            a.release(held);

            // Only a wake tells: the waiter has not asked again.
            await().until(() -> received.size() == 1);
            assertThat(received.get(0).owner()).isEqualTo(next.owner());
            b.granted(next);
            b.release(next);
        }
        assertThat(rows.count("claim")).isZero();
    }

    /** An unreachable waiter may be alive: no later waiter overtakes it. */
    @Test
    void absentWaiterInOrder_keepsItsPlace() throws IOException {
        try (Client a = hearing();
                Client b = hearing();
                Client c = hearing()) {
            Claim held = a.claim(NAME).inMode(Mode.fair());
            a.granted(held);
            Claim first = b.claim(NAME).inMode(Mode.fair()).waiting(Duration.ofSeconds(2));
            b.busy(first);
            keepListed();
            removeSockets();
            Claim second = c.claim(NAME).inMode(Mode.fair()).waiting(Duration.ofSeconds(1));
            c.busy(second);

            a.release(held);

            assertThat(c.isGranted(second)).isFalse();
            assertThat(b.isGranted(first)).isTrue();
        }
    }

    /** The waiter that asks has been refused before it is woken. */
    @Test
    void turnThatPassesOnToTheAskingWaiter_isAWake() throws IOException {
        List<Wake> received = new CopyOnWriteArrayList<>();
        try (Client a = hearing();
                Client b = hearing();
                Client c = new Client(file)) {
            c.store().onWake(received::add);
            a.hold(NAME);
            b.await(NAME, Duration.ofSeconds(2));
            removeSockets();
            // The lease is over.
            rows.execute("UPDATE interlock_lock SET until_ms = 1");
            assertThat(c.inspect(NAME).holders()).isEmpty();
            Claim mine = c.claim(NAME).inMode(Mode.fair()).waiting(Duration.ofMillis(100));
            c.busy(mine);

            await().until(() -> received.size() == 1);
            assertThat(received.get(0).owner()).isEqualTo(mine.owner());
            assertThat(c.isGranted(mine)).isTrue();
        }
    }

    /**
     * More waiters than connections that a socket accepts; and each is woken once, although each that passes the latch
     * wakes the others. Fewer on a machine so slow that the store forgets the first before the last is listed.
     */
    @Test
    void latchAtZero_wakesAllWaitersOfAClient_once() throws IOException {
        List<Wake> received = new CopyOnWriteArrayList<>();
        try (Client a = new Client(file);
                Client b = new Client(file)) {
            b.store().onWake(received::add);
            int waiters = 300;
            while (!wakesEachOnce(waiters, a, b, received)) {
                waiters = waiters / 2;
            }
        }
    }

    /** Returns false if it is not known whether all were listed when the latch came to zero. */
    private static boolean wakesEachOnce(int waiters, Client a, Client b, List<Wake> received) {
        LockId latch = new LockId(NAME + waiters, LockKind.LATCH);
        a.executed(a.command(latch, new Command.SetCount(1)));
        List<Claim> waiting = new ArrayList<>();
        long begun = System.nanoTime();
        for (int i = 0; i < waiters; i++) {
            Claim claim = b.claim(latch).inMode(new Mode.AwaitZero()).waiting(Duration.ZERO);
            b.busy(claim);
            waiting.add(claim);
        }
        a.executed(a.command(latch, new Command.CountDown()));
        if (System.nanoTime() - begun > FORGOTTEN_NANOS && waiters > 1) {
            return false;
        }
        await().until(() -> wakes(received, latch) == waiters);

        waiting.forEach(b::granted);

        // Wakes arrive in order.
        Claim held = a.hold("last");
        Claim last = b.await("last", Duration.ofSeconds(1));
        a.release(held);
        await().until(() -> received.stream().anyMatch(wake -> last.owner().equals(wake.owner())));
        assertThat(wakes(received, latch)).isEqualTo(waiters);
        return true;
    }

    private static long wakes(List<Wake> received, LockId id) {
        return received.stream().filter(wake -> id.equals(wake.id())).count();
    }

    /**
     * After a transaction that could be neither committed nor rolled back, the next operation uses a new connection: on
     * the old one, it would report a grant that does not exist.
     */
    @Test
    void passingOnThatLeavesATransactionOpen_costsTheConnection() throws IOException {
        RefusingConnections refusing = new RefusingConnections("jdbc:sqlite:" + file);
        try (Client a = new Client(JdbcStore.over(refusing.source()));
                Client b = hearing()) {
            Claim held = a.hold(NAME);
            b.await(NAME, Duration.ofSeconds(2));
            removeSockets();
            refusing.refuseOnce("DELETE FROM interlock_claim", "ROLLBACK");

            assertThat(a.release(held)).isTrue();

            assertThat(refusing.refused()).isEqualTo(2);
            assertThat(Client.failure(a.store().acquire(a.claim("next")))).hasMessageContaining("rolled back");
            a.hold("next");
            assertThat(rows.number("SELECT count(*) FROM interlock_lock WHERE name = 'next' AND held"))
                    .isEqualTo(1);
        }
    }

    /** A waiter that was taken off the list, and is alive, is listed again in its old place. */
    @Test
    void absentWaiterThatAsksAgain_hasItsPlace() throws IOException {
        try (Client a = hearing();
                Client b = hearing();
                Client c = hearing()) {
            Claim held = a.hold(NAME);
            Claim first = b.await(NAME, Duration.ofSeconds(2));
            removeSockets();
            Claim second = c.await(NAME, Duration.ofSeconds(1));
            a.release(held);
            c.granted(second);

            b.busy(first);
            keepListed();

            assertThat(c.inspect(NAME).waiters())
                    .extracting(LockStatus.Waiter::owner)
                    .containsExactly(first.owner().value());
            assertThat(c.inspect(NAME).waiters().get(0).waitingFor()).isGreaterThan(Duration.ofSeconds(1));
        }
    }

    /** A socket that somebody has deleted costs the poll cap. */
    @Test
    void P11_removedSocket_doesNotKeepTheWaiterFromHolding() throws Exception {
        holdAfterARemovedSocket(Duration.ofMillis(500), SOON);
    }

    @Tag(Effort.TIMING)
    @Test
    void P11_removedSocket_costsNoMoreThanThePollCap() throws Exception {
        holdAfterARemovedSocket(Duration.ofMillis(500), Duration.ofMillis(500));
    }

    private void holdAfterARemovedSocket(Duration cap, Duration excess) throws Exception {
        try (Interlock holder = client(file);
                Interlock waiter =
                        Interlock.builder(JdbcStore.sqlite(file)).pollCap(cap).build()) {
            Lease held = holder.lock(NAME).acquire();
            CompletableFuture<Lease> waiting = waiter.lock(NAME).acquireAsync().toCompletableFuture();
            awaitWaiters(holder, 1);
            removeSockets();

            held.close();

            assertThat(waiting).succeedsWithin(cap.plus(excess));
            waiting.join().close();
        }
    }

    @Test
    void clientWhoseSocketWasRemoved_listensAgain_andOnce() throws Exception {
        try (Interlock holder = client(file);
                Interlock waiter = Interlock.builder(JdbcStore.sqlite(file)).build()) {
            Lease held = holder.lock(NAME).acquire();
            CompletableFuture<Lease> waiting = waiter.lock(NAME).acquireAsync().toCompletableFuture();
            awaitWaiters(holder, 1);
            removeSockets();

            await().until(() -> sockets(file).size() == 1 && WakeSocketsTest.threads() == 1);

            held.close();
            assertThat(waiting).succeedsWithin(SOON);
            waiting.join().close();
        }
    }

    /** Claims poll where no socket can be. */
    @Test
    void pathThatIsTooLongForASocket_isPolled() throws Exception {
        Path deep = Files.createDirectory(directory.resolve("d".repeat(120))).resolve("locks.db");
        try (Interlock holder = client(deep);
                Interlock waiter = client(deep)) {
            Lease held = holder.lock(NAME).acquire();
            CompletableFuture<Lease> waiting = waiter.lock(NAME).acquireAsync().toCompletableFuture();
            awaitWaiters(holder, 1);
            assertThat(sockets(deep)).isEmpty();

            held.close();

            assertThat(waiting).succeedsWithin(SOON);
            waiting.join().close();
        }
    }

    /** Only a client that has waited has a socket, and only until it is closed. */
    @Test
    void sockets_areThere_onlyWhileAClientHasWaited() throws Exception {
        try (Interlock holder = client(file);
                Interlock waiter = client(file)) {
            Lease held = holder.lock(NAME).acquire();
            assertThat(sockets(file)).isEmpty();
            CompletableFuture<Lease> waiting = waiter.lock(NAME).acquireAsync().toCompletableFuture();
            awaitWaiters(holder, 1);
            assertThat(sockets(file)).hasSize(1);

            held.close();
            waiting.join().close();
        }
        await().until(() -> sockets(file).isEmpty());
    }

    private Interlock client(Path at) {
        return Interlock.builder(JdbcStore.sqlite(at)).pollCap(NEVER).build();
    }

    private Client hearing() {
        Client client = new Client(file);
        client.store().onWake(wake -> {});
        return client;
    }

    /** Those who wait now stay listed for longer than any test takes. */
    private void keepListed() {
        rows.execute("UPDATE interlock_claim SET until_ms = until_ms + 600000, lease_ms = lease_ms + 600000");
    }

    private void removeSockets() throws IOException {
        assertThat(sockets(file)).isNotEmpty();
        for (Path socket : sockets(file)) {
            Files.delete(socket);
        }
    }

    private static void awaitWaiters(Interlock client, int count) {
        DistributedLock lock = client.lock(NAME);
        await().until(() -> lock.inspect().waiters().size() == count);
    }

    private static List<Path> sockets(Path beside) throws IOException {
        try (Stream<Path> files = Files.list(beside.resolveSibling(""))) {
            return files.filter(path -> path.toString().startsWith(beside + "-wake-"))
                    .toList();
        }
    }
}
