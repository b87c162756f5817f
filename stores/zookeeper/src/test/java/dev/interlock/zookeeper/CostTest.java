package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.FaultProxy.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cost of each verb, counted on the wire. */
class CostTest extends OverProxy {

    private static final Duration EACH_WAY = Duration.ofMillis(20);
    private static final int TIMES = 5;

    /** Looks so often that a place is not lost meanwhile. */
    private static ConditionFactory soon() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    /** Creates the parents, as a first use of the name does. */
    private void use(Claim claim) {
        probe.granted(claim);
        probe.release(claim);
    }

    /**
     * How many round trips it takes to get a claim: the fewest of some, as the machine may have other things to do. A
     * request that depends on an answer is sent a round trip after the request before.
     */
    private int roundTrips(Supplier<Claim> claims) {
        proxy.latency(EACH_WAY);
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < TIMES; i++) {
            sentNanos.clear();
            Claim claim = claims.get();
            probe.granted(claim);
            fewest = Math.min(fewest, bursts(List.copyOf(sentNanos)));
            probe.release(claim);
        }
        return fewest;
    }

    /** How many groups of requests were sent so long after the request before that an answer may have come between. */
    private static int bursts(List<Long> moments) {
        long answered = EACH_WAY.multipliedBy(2).toNanos() * 9 / 10;
        int bursts = 1;
        for (int i = 1; i < moments.size(); i++) {
            if (moments.get(i) - moments.get(i - 1) >= answered) {
                bursts++;
            }
        }
        return bursts;
    }

    @Test
    void aFreeLock_costsTwoRequests_andARelease() {
        use(probe.waiting("free"));
        Claim claim = probe.waiting("free");
        long before = sent.total();

        probe.granted(claim);
        assertThat(sent.total() - before).isEqualTo(2);
        probe.release(claim);
        assertThat(sent.total() - before).isEqualTo(3);
    }

    /** Both requests are sent before any answer comes, which is held back. */
    @Test
    void aFreeLock_costsOneRoundTrip() {
        use(probe.waiting("round-trip"));
        Claim claim = probe.waiting("round-trip");
        long before = sent.total();
        proxy.blackHole(Direction.TO_CLIENT);

        CompletableFuture<Attempt> asked = probe.store.acquire(claim).toCompletableFuture();

        await().until(() -> sent.total() - before == 2);
        assertThat(asked).isNotDone();
        proxy.heal();
        assertThat(Probe.answer(asked)).isInstanceOf(Attempt.Granted.class);
        assertThat(sent.total() - before).isEqualTo(2);
    }

    @Test
    void aFailedTry_isOneRead() {
        probe.granted(probe.claim("held"));
        long before = sent.total();
        long writes = sent.writes();

        probe.busy(probe.claim("held"));

        assertThat(sent.total() - before).isEqualTo(1);
        assertThat(sent.writes()).isEqualTo(writes);
    }

    @Test
    void aHandOver_toTheOnlyOneBehind_needsNoLook() {
        Claim held = probe.waiting("hand-over");
        Claim next = probe.waiting("hand-over");
        probe.granted(held);
        probe.busy(next);
        await().until(() -> sent.count("getData") == 2);
        long before = sent.total();

        probe.release(held);
        await().until(() -> probe.woken.contains(next.owner()));
        probe.granted(next);

        assertThat(sent.total() - before).isEqualTo(1);
    }

    @Tag(Effort.TIMING)
    @Test
    void aSemaphore_costsTwoRoundTrips() {
        LockId id = new LockId("permits", LockKind.SEMAPHORE);
        use(probe.claim(id, new Mode.Permits(2, 5)).waiting(Duration.ZERO));
        assertThat(roundTrips(() -> probe.claim(id, new Mode.Permits(3, 5)).waiting(Duration.ZERO)))
                .isEqualTo(2);
    }

    /** P13: only the first in the queue watches the permits, also after the claim in between has given up. */
    @Test
    void aChangeOfPermits_isReadByTheFirstInTheQueueOnly() {
        LockId id = new LockId("not-first", LockKind.SEMAPHORE);
        try (Probe other = SERVER.probe()) {
            Claim taken = other.claim(id, new Mode.Permits(1, 2));
            other.granted(taken);
            other.granted(other.claim(id, new Mode.Permits(1, 2)));
            other.busy(other.claim(id, new Mode.Permits(2, 2)).waiting(Duration.ZERO));
            Claim between = probe.claim(id, new Mode.Permits(1, 2)).waiting(Duration.ZERO);
            probe.busy(between);
            probe.busy(probe.claim(id, new Mode.Permits(1, 2)).waiting(Duration.ZERO));
            long looked = sent.listings();
            probe.release(between);
            await().until(() -> sent.listings() > looked);
            heardOfAll();
            long before = sent.listings();

            other.release(taken);

            heardOfAll();
            assertThat(sent.listings()).isEqualTo(before);
        }
    }

    /** It lists nothing itself, and is answered behind all events of what was done before. */
    private void heardOfAll() {
        for (int i = 0; i < 2; i++) {
            probe.executed(probe.command(new LockId("no-latch", LockKind.LATCH), new Command.CountDown()));
        }
    }

    /** All reads are sent before any answer comes. */
    @Test
    void aRenewal_isOneReadForEachClaim_inOneRoundTrip() {
        List<Claim> held = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            held.add(probe.claim("renewed-" + i));
            probe.granted(held.get(i));
        }
        long before = sent.total();
        proxy.blackHole(Direction.TO_CLIENT);

        CompletableFuture<Map<Claim, Renewal>> renewed = probe.store.renew(held).toCompletableFuture();

        await().until(() -> sent.total() - before == 50);
        assertThat(renewed).isNotDone();
        proxy.heal();
        assertThat(Probe.answer(renewed)).hasSize(50);
        assertThat(sent.total() - before).isEqualTo(50);
    }

    /** Ten writers and then fifty readers, all in a queue, as that many processes. They keep their places for 5 s. */
    @Tag(Effort.TIMING)
    @Test
    void readersBehindWriters_readTheQueueOnce() {
        LockId id = new LockId("queue", LockKind.READ_WRITE);
        Claim first = probe.claim(id, Mode.fair()).waiting(Duration.ZERO);
        use(probe.claim(id, Mode.shared()).waiting(Duration.ZERO));
        long before = sent.listings();
        probe.granted(first);
        List<Claim> writers = new ArrayList<>(List.of(first));
        List<Claim> readers = new ArrayList<>();
        for (int i = 1; i < 60; i++) {
            Claim claim = probe.claim(id, i < 10 ? Mode.fair() : Mode.shared()).waiting(Duration.ZERO);
            probe.busy(claim);
            (i < 10 ? writers : readers).add(claim);
        }

        for (int i = 0; i < 10; i++) {
            Claim writer = writers.get(i);
            soon().until(() -> writer.equals(first) || probe.woken.contains(writer.owner()));
            probe.granted(writer);
            probe.release(writer);
        }
        readers.forEach(reader -> {
            soon().until(() -> probe.woken.contains(reader.owner()));
            probe.granted(reader);
        });

        assertThat(sent.listings() - before).isLessThanOrEqualTo(70);
        readers.forEach(probe::release);
    }

    /** A slow machine polls and proves the session more often meanwhile. */
    @Tag(Effort.TIMING)
    @Test
    void P16_manyThreadsOnOneLock_costFewOperations() throws Exception {
        AtomicInteger unprotected = new AtomicInteger();
        try (Interlock client = TestServer.patient(ZooKeeperStore.at(uri()))) {
            DistributedLock lock = client.lock("crowd");
            lock.acquire().close();
            long before = sent.total();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Thread thread = new Thread(() -> lock.run(unprotected::incrementAndGet));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(sent.total() - before).isLessThan(450);
        }
        assertThat(unprotected).hasValue(200);
    }
}
