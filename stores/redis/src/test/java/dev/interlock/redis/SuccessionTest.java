package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The release of a fair lock grants it to the next in line, if its entry allows that; and to nobody who does not hear
 * of it. The message is a wake like any other, which proves nothing.
 */
class SuccessionTest {

    private static final String WAITERS = "interlock_waiters:{n}";

    /** The server's clock and ours may differ by so much meanwhile. */
    private static final Duration CLOCKS = Duration.ofMillis(100);

    private static RedisServer server;
    private Probe probe;
    private Probe other;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void open() {
        server.command("FLUSHALL");
        probe = new Probe(server.uri());
        other = new Probe(server.uri());
    }

    @AfterEach
    void close() {
        probe.close();
        other.close();
    }

    @Test
    void theNextInLine_isGranted_andTold() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        long before = fence();
        long asked = System.nanoTime();
        Claim next = waits(probe);
        Claim last = waits(other);
        told.clear();
        server.command("HSET", WAITERS, "dead:1", "17 18 here 4711 probe main f5000.1");

        assertThat(other.release(holder)).isTrue();

        assertThat(heard(told)).isEqualTo(new Wake.Changed(LockId.lock("n"), next.owner()));
        assertThat(fence()).isGreaterThan(before);
        assertThat(server.list("HKEYS", "n"))
                .containsExactlyInAnyOrder("interlock", next.owner().value());
        assertThat(server.command("HGET", "n", "interlock"))
                .startsWith(fence() + " ")
                .endsWith(" here 4711 probe main f");
        assertLeft(Settings.PLACE, asked);
        assertThat(server.list("HKEYS", WAITERS)).containsExactly(last.owner().value());
        assertThat(probe.renew(next)).isEqualTo(Renewal.HELD);
        assertThat(pttl()).isGreaterThan(290_000L);
    }

    /** The message may be lost: who asks again finds itself granted, for all of its lease. */
    @Test
    void whoAsksAgain_hasTheSameGrant() {
        Claim holder = held();
        Claim next = waits(probe);
        other.release(holder);

        assertThat(probe.granted(next.waiting(Duration.ofSeconds(1)))).isEqualTo(fence());
        assertThat(pttl()).isGreaterThan(290_000L);
        assertThat(probe.release(next)).isTrue();
        assertThat(server.list("KEYS", "*")).containsExactly("interlock_fence:{n}");
    }

    @Test
    void whoGivesUpWhatItWasGranted_isSucceededByTheNext() throws Exception {
        BlockingQueue<Wake> told = listen(other);
        Claim holder = held();
        Claim next = waits(probe);
        Claim last = waits(other);
        told.clear();
        other.release(holder);

        assertThat(probe.release(next)).isTrue();

        assertThat(heard(told).owner()).isEqualTo(last.owner());
        assertThat(server.command("HEXISTS", "n", last.owner().value())).isEqualTo("1");
    }

    /** Clients of an earlier version add a number, and believe what comes with it: they are told nothing to believe. */
    @Test
    void anEntryOfAnEarlierVersion_isGranted_andOnlyWoken() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        Claim next = waits(probe);
        server.command("HSET", WAITERS, next.owner().value(), entry(next) + ".281474976710655");
        told.clear();
        other.release(holder);

        assertThat(heard(told)).isEqualTo(new Wake.Changed(LockId.lock("n"), next.owner()));
        assertThat(server.command("HEXISTS", "n", next.owner().value())).isEqualTo("1");
    }

    @Test
    void aLeaseShorterThanAPlace_isNotMadeLonger() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        Duration brief = Duration.ofSeconds(2);
        Claim next = fair(probe).withLease(brief);
        probe.busy(next);
        told.clear();
        long released = System.nanoTime();
        other.release(holder);

        assertThat(heard(told).owner()).isEqualTo(next.owner());
        assertLeft(brief, released);
    }

    /** It would have lost its place then. */
    @Test
    void whoHasNotAskedForLong_isGrantedForTheRestOfItsPlace() {
        Claim holder = held();
        long asked = System.nanoTime();
        Claim next = waits(probe);
        String entry = entry(next);
        long deadline = Long.parseLong(entry.split(" ", 3)[1]);
        server.command(
                "HSET", WAITERS, next.owner().value(), entry.replace(" " + deadline, " " + (deadline - 3_000_000)));
        other.release(holder);

        assertLeft(Settings.PLACE.minusSeconds(3), asked);
    }

    @Test
    void whoseEntryHasNoLease_isOnlyWoken() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        Claim next = waitsWithoutALease();
        waits(other);
        told.clear();
        other.release(holder);

        assertThat(heard(told).owner()).isEqualTo(next.owner());
        assertThat(server.command("EXISTS", "n")).isEqualTo("0");
        probe.granted(next);
    }

    @Test
    void whomNobodyHears_isPassedOver() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        Probe gone = new Probe(server.uri());
        waits(gone);
        gone.close();
        await().until(() ->
                server.list("PUBSUB", "CHANNELS", "*" + gone.id + "*").isEmpty());
        Claim next = waits(probe);
        told.clear();
        other.release(holder);

        assertThat(heard(told).owner()).isEqualTo(next.owner());
        assertThat(server.list("KEYS", "*")).containsExactlyInAnyOrder("n", "interlock_fence:{n}");
    }

    /** The lock is free by then: who waits has to know, whatever else goes wrong. */
    @Test
    void whatCannotBeWritten_isNotSaid_andTheNextIsWoken() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        Claim next = waits(probe);
        told.clear();
        server.command("DEL", "interlock_fence:{n}");
        server.command("LPUSH", "interlock_fence:{n}", "of another type");
        assertThat(other.release(holder)).isTrue();

        assertThat(heard(told).owner()).isEqualTo(next.owner());
        assertThat(server.command("EXISTS", "n")).isEqualTo("0");
    }

    /**
     * Clients of Redisson that wait beside it are to have their turn, and replicas that have to confirm it are not
     * asked by a release.
     */
    @Test
    void withInteroperationOrReplicas_nobodySucceeds() {
        Claim holder = held();
        for (RedisStore store : new RedisStore[] {
            RedisStore.builder(server.uri()).redissonInterop(true).build(),
            RedisStore.builder(server.uri()).replicas(1, Duration.ofSeconds(1)).build()
        }) {
            try (Probe probed = new Probe(store)) {
                Claim waiting = waits(probed);
                assertThat(entry(waiting)).endsWith(" f");
                probed.release(waiting);
            }
        }
        other.release(holder);
    }

    private Claim held() {
        Claim holder = other.claim("n").inMode(Mode.fair());
        other.granted(holder);
        return holder;
    }

    private static Claim fair(Probe of) {
        return of.claim("n").inMode(Mode.fair()).waiting(Duration.ZERO);
    }

    /** As of a client that needs the consent of replicas. */
    private Claim waitsWithoutALease() {
        Claim waiting = waits(probe);
        server.command("HSET", WAITERS, waiting.owner().value(), entry(waiting).replaceFirst(" f5000$", " f"));
        return waiting;
    }

    private static Claim waits(Probe client) {
        Claim waiting = fair(client);
        client.busy(waiting);
        return waiting;
    }

    private static BlockingQueue<Wake> listen(Probe client) {
        BlockingQueue<Wake> told = new LinkedBlockingQueue<>();
        client.store.onWake(wake -> {
            client.wakes.add(wake.id());
            told.add(wake);
        });
        return told;
    }

    private static Wake heard(BlockingQueue<Wake> told) throws InterruptedException {
        return Objects.requireNonNull(told.poll(Patience.seconds(), TimeUnit.SECONDS), "no wake");
    }

    private static String entry(Claim waiting) {
        return server.command("HGET", WAITERS, waiting.owner().value());
    }

    private static long fence() {
        return Long.parseLong(server.command("GET", "interlock_fence:{n}"));
    }

    /** @param sinceNanos before it began to count: on a machine that stalls it is not what it was */
    private static void assertLeft(Duration life, long sinceNanos) {
        long left = pttl();
        long passed = Duration.ofNanos(System.nanoTime() - sinceNanos).toMillis();
        assertThat(left).isBetween(life.toMillis() - passed - CLOCKS.toMillis(), life.toMillis());
    }

    private static long pttl() {
        return Long.parseLong(server.command("PTTL", "n"));
    }
}
