package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.history.FencedCell;
import dev.interlock.testkit.history.HistoryChecker;
import dev.interlock.testkit.history.Hold;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.process.ClockAgent;
import dev.interlock.testkit.process.CountingChild;
import dev.interlock.testkit.process.HoldingChild;
import dev.interlock.testkit.process.ProcessNames;
import dev.interlock.testkit.process.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract between processes, for stores that other processes can open: a store's test implements this beside
 * {@link DistributedLockContract}. The processes are JVMs with the test's class path; they are stopped and killed for
 * real.
 */
public interface ManyProcessesContract {

    /** The longest time for a JVM to start and connect. */
    Duration START = Patience.FULL;

    /** By how much clocks are set. */
    Duration STEP = Duration.ofHours(1);

    /** How long somebody waits meanwhile. */
    Duration TRY = Duration.ofSeconds(1);

    /** The URI at which another process opens the shared data of this test class. */
    String storeUri();

    /**
     * By how much less may be left of a lease than {@code inspect} says: no more than the grain of the store's clock,
     * if the store knows when leases end.
     */
    default Duration leaseMayBeShorterBy() {
        return Duration.ofMillis(10);
    }

    /**
     * I1, I2, I3: a counter in a file that nothing else protects, incremented by several JVMs with several threads
     * each.
     */
    @Tag(Effort.SCALED)
    @Test
    default void I02_processes_loseNoUpdate() throws IOException {
        int rounds = Effort.pick(100, 3000);
        String name = ProcessNames.next();
        Path file = Files.writeString(Files.createTempFile("counter", ".txt"), "0");
        HistoryChecker history = new HistoryChecker();
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                children.add(ChildJvm.start(
                        CountingChild.class, storeUri(), name, file.toString(), "2", Integer.toString(rounds)));
            }
            children.forEach(child -> child.await("ready", START));
            children.forEach(child -> child.send("go"));
            for (ChildJvm child : children) {
                for (int i = 0; i < 2 * rounds; i++) {
                    history.add(Hold.ofLine(name, child.await("hold ", START)));
                }
                assertThat(child.awaitExit(START)).isZero();
            }
            assertThat(Files.readString(file)).isEqualTo(Integer.toString(6 * rounds));
        } finally {
            children.forEach(ChildJvm::close);
            Files.delete(file);
        }
        assertThat(history.size()).isEqualTo(6 * rounds);
        history.check();
    }

    /** I5: kill -9 of a holder. */
    @Test
    default void I05_processes_aKilledHolder_isSucceeded() throws Exception {
        // A lease that a process which has just started renews in time on a busy machine, too.
        succeedAKilledHolder(Duration.ofSeconds(10), Patience.limit());
    }

    /** The next one holds within the remainder of the lease and the poll cap. */
    @Tag(Effort.TIMING)
    @Test
    default void I05_processes_aKilledHolder_isSucceededWithinItsLease() throws Exception {
        Duration ttl = Duration.ofSeconds(3);
        succeedAKilledHolder(ttl, ttl.plusMillis(1500));
    }

    private void succeedAKilledHolder(Duration ttl, Duration limit) throws Exception {
        String name = ProcessNames.next();
        try (ChildJvm child = ChildJvm.start(HoldingChild.class, storeUri(), name, ttl.toString());
                Interlock client = Interlock.connect(storeUri())) {
            long token = Long.parseLong(child.await("held ", START));
            DistributedLock lock = client.lock(name);
            assertThat(LockFixture.answer(() -> lock.tryLock())).isFalse();
            Caller<Lease> next = Caller.start(lock::acquire).awaitBlocked();

            try (Stopwatch watch = new Stopwatch()) {
                child.kill();
                assertThat(Signals.state(child.pid())).isEqualTo(Signals.GONE);
                try (Lease lease = next.result()) {
                    watch.assertAtMost(limit, "the take-over from a killed process");
                    assertThat(lease.token()).isGreaterThan(token);
                }
            }
        }
    }

    /** A waiter that is killed is in nobody's way. */
    @Tag("wide")
    @Test
    default void I05_processes_aKilledWaiter_isInNobodysWay() throws Exception {
        handOverPastAKilledWaiter(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    default void I05_processes_aKilledWaiter_costsNoTime() throws Exception {
        handOverPastAKilledWaiter(Duration.ofSeconds(2));
    }

    private void handOverPastAKilledWaiter(Duration limit) throws Exception {
        String name = ProcessNames.next();
        try (Interlock client = Interlock.connect(storeUri());
                Interlock other = Interlock.connect(storeUri())) {
            Lease held = client.lock(name).acquire();
            try (ChildJvm child = ChildJvm.start(HoldingChild.class, storeUri(), name, "PT1S")) {
                child.await("asking", START);
                Caller<Lease> survivor =
                        Caller.start(() -> other.lock(name).acquire()).awaitBlocked();
                child.kill();

                try (Stopwatch watch = new Stopwatch()) {
                    held.close();
                    survivor.result().close();
                    watch.assertAtMost(limit, "a hand-over past a dead waiter");
                }
            }
        }
    }

    /** What a holder whose process was stopped for too long may be told. */
    default Set<LossCause> causesOfAStop() {
        return Set.of(LossCause.PAUSED);
    }

    /**
     * I1, I4, P01, P02: a process that is stopped for twice its lease. The first call after the pause says lost, for
     * the right reason and without asking the store, of a lease and of a lock that a thread owns; the resource refuses
     * its late write; nothing revives the lease.
     */
    @Tag("wide")
    @Test
    default void P01_processes_stoppedHolder_isLost_lateWriteIsRefused() throws Exception {
        // Long enough that the process is stopped before its first renewal, even on a busy machine.
        Duration ttl = Duration.ofSeconds(6);
        String name = ProcessNames.next();
        FencedCell cell = new FencedCell();
        try (ChildJvm child = ChildJvm.start(HoldingChild.class, storeUri(), name, ttl.toString());
                Interlock client = Interlock.connect(storeUri())) {
            long token = Long.parseLong(child.await("held ", START));
            assertThat(cell.write(token, "child", value -> 1)).isTrue();
            child.send("own");
            child.await("owned ", START);

            child.stop();
            assertThat(Signals.state(child.pid())).isEqualTo(Signals.STOPPED);
            try (Stopwatch watch = new Stopwatch();
                    Lease lease = client.lock(name).acquire()) {
                assertThat(cell.write(lease.token(), "parent", value -> 2)).isTrue();
                await().until(() -> watch.elapsed().compareTo(ttl.multipliedBy(2)) > 0);
                assertThat(Signals.state(child.pid())).isEqualTo(Signals.STOPPED);
                child.send("check");
                child.resume();

                assertThat(child.await("checked ", START)).startsWith("false LockLostException");
                assertThat(cell.write(token, "child", value -> 3)).isFalse();
                child.send("told");
                String told = child.await("told ", START);
                assertThat(told).startsWith("1 ");
                String cause = told.substring(2);
                assertThat(causesOfAStop()).contains(LossCause.valueOf(cause));
                child.send("release");
                assertThat(child.await("released ", START)).isEqualTo("LOST(" + cause + ")");
                child.send("unlock");
                assertThat(child.await("unlocked ", START)).isEqualTo("LockLostException " + cause);
                assertThat(lease.isValid()).isTrue();
            }
            assertThat(cell.value()).isEqualTo(2);
            assertThat(cell.refused()).isEqualTo(1);
        }
    }

    /**
     * P10: the wall clocks of the clients are twenty minutes apart, and then each is set by an hour. Neither takes what
     * the other holds and renews, before the lease is over that it has left behind; a wait that has a time takes that
     * time.
     */
    @Tag("wide")
    @Test
    default void P10_processes_withClocksApart_agreeWhenALeaseEnds() throws Exception {
        // Long enough that four JVMs that start do not keep a holder from renewing it; with clocks that count it would
        // be over at once.
        agreeWhenALeaseEnds(Duration.ofSeconds(16), STEP.dividedBy(2), Patience.limit());
    }

    /** Nor does it wait longer than that. */
    @Tag(Effort.TIMING)
    @Test
    default void P10_processes_withClocksApart_waitForALeaseAtMost() throws Exception {
        Duration ttl = Duration.ofSeconds(5);
        // The code that ends a wait is new to its JVM.
        agreeWhenALeaseEnds(ttl, TRY.plusMillis(250), ttl.plusMillis(1500));
    }

    private void agreeWhenALeaseEnds(Duration ttl, Duration longestTry, Duration limit) throws Exception {
        String forward = ProcessNames.next();
        String backward = ProcessNames.next();
        Duration ahead = Duration.ofMinutes(10);
        Duration behind = ahead.negated();
        try (ChildJvm early = holding(forward, ttl, ahead);
                ChildJvm late = holding(backward, ttl, behind)) {
            long first = held(early, ahead);
            long second = held(late, behind);
            try (ChildJvm afterEarly = holding(forward, ttl, behind);
                    ChildJvm afterLate = holding(backward, ttl, ahead)) {
                assertAsks(afterEarly, forward, behind);
                assertAsks(afterLate, backward, ahead);

                // Each holder also waits for what the other one holds.
                tryAndSet(early, backward, ahead.minus(STEP));
                tryAndSet(late, forward, behind.plus(STEP));
                set(afterEarly, behind.plus(STEP));
                set(afterLate, ahead.minus(STEP));
                assertTriedInVain(early, STEP.negated(), longestTry);
                assertTriedInVain(late, STEP, longestTry);

                assertHolds(early);
                assertHolds(late);
                assertStillWaits(afterEarly);
                assertStillWaits(afterLate);
                try (Interlock client = Interlock.connect(storeUri())) {
                    leaseLeft(client, forward);
                    Stopwatch watch = new Stopwatch();
                    Duration firstLeft = leaseLeft(client, forward);
                    Duration secondLeft = leaseLeft(client, backward);
                    early.kill();
                    late.kill();
                    assertTakenOver(afterEarly, first, firstLeft, watch);
                    assertTakenOver(afterLate, second, secondLeft, watch);
                    watch.assertAtMost(limit, "the take-over from processes with other clocks");
                    watch.close();
                }
            }
        }
    }

    private ChildJvm holding(String name, Duration ttl, Duration clock) {
        return ChildJvm.start(HoldingChild.class, ClockAgent.options(clock), List.of(storeUri(), name, ttl.toString()));
    }

    private static long held(ChildJvm child, Duration clock) {
        assertTime(child.await("asking at ", START), clock);
        return Long.parseLong(child.await("held ", START));
    }

    private static void assertAsks(ChildJvm child, String name, Duration clock) {
        assertTime(child.await("asking at ", START), clock);
        child.await("asked for " + name, START);
    }

    private static void set(ChildJvm child, Duration clock) {
        child.send("clock " + clock);
        assertTime(child.await("time ", START), clock);
    }

    private static void assertTime(String told, Duration clock) {
        assertThat(Long.parseLong(told) - System.currentTimeMillis())
                .isCloseTo(clock.toMillis(), Offset.offset(START.toMillis()));
    }

    private static void tryAndSet(ChildJvm child, String name, Duration clock) {
        child.send("try " + name + " " + TRY);
        child.await("asked for " + name, START);
        set(child, clock);
    }

    private static void assertTriedInVain(ChildJvm child, Duration step, Duration longest) {
        String tried = child.await("tried ", START);
        assertThat(tried).startsWith("busy ");
        String[] words = tried.split(" ", -1);
        long waited = Long.parseLong(words[1]);
        assertThat(waited).isBetween(TRY.toMillis(), longest.toMillis());
        // The control: by the clock that was set meanwhile it was an hour more or less.
        assertThat(Long.parseLong(words[2]) - waited).isCloseTo(step.toMillis(), Offset.offset(START.toMillis()));
    }

    private static void assertHolds(ChildJvm holder) {
        holder.send("renewed");
        assertThat(holder.await("renewed ", START)).isEqualTo("true");
        holder.send("check");
        assertThat(holder.await("checked ", START)).isEqualTo("true valid");
    }

    private static void assertStillWaits(ChildJvm waiter) {
        assertThatThrownBy(() -> waiter.await("held ", Duration.ofMillis(1))).hasMessageContaining("was silent");
    }

    private static Duration leaseLeft(Interlock client, String name) throws Exception {
        return LockFixture.answer(() -> client.lock(name).inspect())
                .holders()
                .get(0)
                .remainingLease();
    }

    private void assertTakenOver(ChildJvm waiter, long token, Duration leaseLeft, Stopwatch watch) {
        assertThat(Long.parseLong(waiter.await("held ", START))).isGreaterThan(token);
        assertThat(watch.elapsed()).isGreaterThanOrEqualTo(leaseLeft.minus(leaseMayBeShorterBy()));
    }

    /** P30: one process sees who holds in another. */
    @Tag("wide")
    @Test
    default void P30_processes_seeEachOther() throws Exception {
        String name = ProcessNames.next();
        try (ChildJvm child = ChildJvm.start(HoldingChild.class, storeUri(), name, "PT5M");
                Interlock client = Interlock.connect(storeUri())) {
            child.await("held ", START);

            LockStatus seen = LockFixture.answer(() -> client.lock(name).inspect());
            assertThat(seen.holders().get(0).party().pid()).isEqualTo(child.pid());
            child.send("release");
            assertThat(child.await("released ", START)).isEqualTo("RELEASED");
            assertThat(LockFixture.answer(client.lock(name)::isLocked)).isFalse();
        }
    }
}
