package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.redis.config.Settings;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Succession;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The release of a fair lock grants it to the next in line, if that has a ticket; and to nobody who does not hear of
 * it.
 */
class SuccessionTest {

    private static final String WAITERS = "interlock_waiters:{n}";
    private static final long TICKET = 281_474_976_710_655L;

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
        Claim next = waits(probe, TICKET);
        Claim last = waits(other, TICKET);
        server.command("HSET", WAITERS, "dead:1", "17 18 here 4711 probe main f5000.1");

        assertThat(other.release(holder)).isTrue();

        Succession succession = succession(told, next);
        assertThat(succession.fence()).isGreaterThan(before).isEqualTo(fence());
        assertThat(succession.ticket()).isEqualTo(TICKET);
        assertThat(succession.lease()).isEqualTo(Settings.PLACE);
        assertThat(server.list("HKEYS", "n"))
                .containsExactlyInAnyOrder("interlock", next.owner().value());
        assertThat(server.command("HGET", "n", "interlock"))
                .startsWith(succession.fence() + " ")
                .endsWith(" here 4711 probe main f");
        assertLeft(Settings.PLACE, asked);
        assertThat(server.list("HKEYS", WAITERS)).containsExactly(last.owner().value());
        assertThat(probe.renew(next)).isEqualTo(Renewal.HELD);
        assertThat(pttl()).isGreaterThan(290_000L);
    }

    @Test
    void observer_isToldOfASuccession() {
        Queue<LeaseOrigin> origins = new ConcurrentLinkedQueue<>();
        LockObserver observer = (name, kind, mode) -> new LockObserver.Acquisition() {
            @Override
            public void acquired(long token, LeaseOrigin origin, Duration waited) {
                origins.add(origin);
            }
        };
        LockOptions fair = LockOptions.defaults().fair();
        try (Interlock one = Interlock.connect(server.uri());
                Interlock two =
                        Interlock.builder(server.uri()).observer(observer).build()) {
            // The first times the client may not listen yet.
            await().until(() -> {
                Lease before = one.lock("f", fair).acquire();
                var next = two.lock("f", fair).acquireAsync().toCompletableFuture();
                await().until(() -> !one.lock("f", fair).inspect().waiters().isEmpty());
                before.close();
                next.join().close();
                return origins.contains(LeaseOrigin.SUCCESSION);
            });
        }
        assertThat(origins).doesNotContain(LeaseOrigin.HAND_OVER);
    }

    /** The message may be lost: who asks again finds itself granted, for all of its lease. */
    @Test
    void whoAsksAgain_hasTheSameGrant() {
        Claim holder = held();
        Claim next = waits(probe, TICKET);
        other.release(holder);

        assertThat(probe.granted(next.waiting(Duration.ofSeconds(1)).withTicket(1)))
                .isEqualTo(fence());
        assertThat(pttl()).isGreaterThan(290_000L);
        assertThat(probe.release(next)).isTrue();
        assertThat(server.list("KEYS", "*")).containsExactly("interlock_fence:{n}");
    }

    @Test
    void whoGivesUpWhatItWasGranted_isSucceededByTheNext() throws Exception {
        BlockingQueue<Wake> told = listen(other);
        Claim holder = held();
        Claim next = waits(probe, TICKET);
        Claim last = waits(other, 7);
        other.release(holder);

        assertThat(probe.release(next)).isTrue();

        assertThat(succession(told, last).ticket()).isEqualTo(7);
        assertThat(server.command("HEXISTS", "n", last.owner().value())).isEqualTo("1");
    }

    @Test
    void aLeaseShorterThanAPlace_isNotMadeLonger() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        Duration brief = Duration.ofSeconds(2);
        Claim next = fair(probe).withLease(brief).withTicket(TICKET);
        probe.busy(next);
        long released = System.nanoTime();
        other.release(holder);

        assertThat(succession(told, next).lease()).isEqualTo(brief);
        assertLeft(brief, released);
    }

    /** It would have lost its place then. */
    @Test
    void whoHasNotAskedForLong_isGrantedForTheRestOfItsPlace() {
        Claim holder = held();
        long asked = System.nanoTime();
        Claim next = waits(probe, TICKET);
        String entry = entry(next);
        long deadline = Long.parseLong(entry.split(" ", 3)[1]);
        server.command(
                "HSET", WAITERS, next.owner().value(), entry.replace(" " + deadline, " " + (deadline - 3_000_000)));
        other.release(holder);

        assertLeft(Settings.PLACE.minusSeconds(3), asked);
    }

    @Test
    void whoHasNoTicket_isOnlyWoken() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        Claim next = waits(probe, 0);
        waits(other, TICKET);
        assertThat(entry(next)).endsWith(" f");
        told.clear();
        other.release(holder);

        Wake wake = heard(told);
        assertThat(wake.owner()).isEqualTo(next.owner());
        assertThat(wake.succession()).isNull();
        assertThat(server.command("EXISTS", "n")).isEqualTo("0");
        probe.granted(next);
    }

    @Test
    void whomNobodyHears_isPassedOver() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        Probe gone = new Probe(server.uri());
        waits(gone, TICKET);
        gone.close();
        await().until(() ->
                server.list("PUBSUB", "CHANNELS", "*" + gone.id + "*").isEmpty());
        Claim next = waits(probe, TICKET);
        other.release(holder);

        assertThat(succession(told, next).ticket()).isEqualTo(TICKET);
        assertThat(server.list("KEYS", "*")).containsExactlyInAnyOrder("n", "interlock_fence:{n}");
    }

    /** The lock is free by then: who waits has to know, whatever else goes wrong. */
    @Test
    void whatCannotBeWritten_isNotSaid_andTheNextIsWoken() throws Exception {
        BlockingQueue<Wake> told = listen(probe);
        Claim holder = held();
        Claim next = waits(probe, TICKET);
        told.clear();
        server.command("DEL", "interlock_fence:{n}");
        server.command("LPUSH", "interlock_fence:{n}", "of another type");
        assertThat(other.release(holder)).isTrue();

        Wake wake = heard(told);
        assertThat(wake.owner()).isEqualTo(next.owner());
        assertThat(wake.succession()).isNull();
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
                Claim waiting = waits(probed, TICKET);
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

    private static Claim waits(Probe client, long ticket) {
        Claim waiting = fair(client).withTicket(ticket);
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

    /** The first that is more than a hint: each client is woken once when it can be, for the sake of being listed. */
    private static Succession succession(BlockingQueue<Wake> told, Claim of) throws InterruptedException {
        while (true) {
            Wake wake = heard(told);
            if (wake.succession() != null) {
                assertThat(wake.id()).isEqualTo(LockId.lock("n"));
                assertThat(wake.owner()).isEqualTo(of.owner());
                return wake.succession();
            }
        }
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
