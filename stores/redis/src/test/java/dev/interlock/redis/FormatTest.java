package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in the server, key by key, and what others may have put there. */
@Tag("server")
@Tag("drivers")
class FormatTest {

    private static final String REDISSON = "b983c153-7421-469a-addb-44fb92259a1b:41";

    private static RedisServer server;
    private Probe probe;

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
    }

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void aHeldLockIsAHashWithTheOwnersFieldAndOurs() {
        Claim claim = probe.claim("orders:42");
        long fence = probe.granted(claim);

        assertThat(server.command("HGET", "orders:42", claim.owner().value())).isEqualTo("1");
        assertThat(server.command("HGET", "orders:42", "interlock"))
                .isEqualTo(fence + " " + fence + " here 4711 probe main");
        assertThat(server.command("HLEN", "orders:42")).isEqualTo("2");
        assertThat(ttl("orders:42")).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
        assertThat(server.command("GET", "interlock_fence:{orders:42}")).isEqualTo(Long.toString(fence));
        assertThat(ttl("interlock_fence:{orders:42}")).isBetween(Duration.ofMinutes(14), Duration.ofMinutes(15));
    }

    /** A claim whose entry has ended is not told of a release. */
    @Test
    void whoWaitsIsToAskAgainBeforeItsEntryEnds() {
        probe.hold("long");
        Claim waiting = Claim.of(LockId.lock("long"), OwnerId.of(probe.id, 99), Duration.ofSeconds(1), Probe.PARTY)
                .waiting(Duration.ZERO);

        probe.busy(waiting);
        long asked = System.nanoTime();
        Duration retryAfter = probe.refused(waiting);

        Duration left = ttl("interlock_waiters:{long}");
        assertThat(retryAfter).isPositive().isLessThan(left.plusNanos(System.nanoTime() - asked));
        // The control: who does not wait may come when the lease ends.
        assertThat(probe.refused(probe.claim("long"))).isGreaterThan(Duration.ofMinutes(4));
    }

    @Test
    void theFenceIsTheServersTimeInMicroseconds() {
        List<String> time = server.list("TIME");
        long before = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));

        assertThat(probe.granted(probe.claim("clock"))).isBetween(before, before + 60_000_000);
    }

    /** I3: a clock that has gone back. */
    @Test
    void P07_theFenceExceedsAStoredOneFromTheFuture() {
        server.command("SET", "interlock_fence:{late}", "4000000000000000");

        Claim first = probe.claim("late");
        assertThat(probe.granted(first)).isEqualTo(4_000_000_000_000_001L);
        probe.release(first);
        assertThat(probe.granted(probe.claim("late"))).isEqualTo(4_000_000_000_000_002L);
        assertThat(server.command("GET", "interlock_fence:{late}")).isEqualTo("4000000000000002");
    }

    /** I3: the counter is gone, by FLUSHALL, eviction or expiry. */
    @Test
    void P07_theFenceIncreasesOverALostCounter() {
        Claim first = probe.claim("lost");
        long fence = probe.granted(first);
        server.command("FLUSHALL");

        assertThat(probe.granted(probe.claim("lost"))).isGreaterThan(fence);
    }

    @Test
    void aFenceThatIsNoNumberCountsAsNone() {
        for (String odd : List.of("nonsense", "nan", "-inf", "")) {
            server.command("SET", "interlock_fence:{odd" + odd + "}", odd);
            assertThat(probe.granted(probe.claim("odd" + odd))).isBetween(1L, 4_000_000_000_000_000L);
        }
    }

    /** I3: the last one may have been granted, and whoever has seen it accepts no lower one. */
    @ParameterizedTest
    @ValueSource(strings = {"9007199254740991", "99999999999999999999999999", "inf"})
    void P07_noFenceIsLowerThanAStoredOneThatIsOutOfRange(String last) {
        server.command("SET", "interlock_fence:{end}", last);

        for (Claim claim : List.of(
                probe.claim("end"),
                probe.claim("end").inMode(Mode.fair()),
                probe.claim("end", LockKind.READ_WRITE, Mode.shared()),
                probe.claim("end", LockKind.READ_WRITE, Mode.fair()),
                probe.claim("end", LockKind.SEMAPHORE, new Mode.Permits(1, 2)),
                probe.claim("end", LockKind.LATCH, new Mode.AwaitZero()))) {
            assertOutOfRange(claim, probe.store.acquire(claim), last);
        }
        for (Command.Action action : List.of(new Command.Resize(3), new Command.SetCount(1), new Command.CountDown())) {
            assertOutOfRange(action, probe.store.execute(probe.command("end", action)), last);
        }
    }

    private static void assertOutOfRange(Object asked, CompletionStage<?> answer, String last) {
        assertThat(Probe.failure(answer))
                .as(asked.toString())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("out of range")
                .hasMessageContaining("name=end");
        assertThat(server.list("KEYS", "*")).containsExactly("interlock_fence:{end}");
        assertThat(server.command("GET", "interlock_fence:{end}")).isEqualTo(last);
    }

    @Test
    void theLastFenceInRangeIsGranted() {
        server.command("SET", "interlock_fence:{end}", "9007199254740990");

        assertThat(probe.granted(probe.claim("end"))).isEqualTo(9_007_199_254_740_991L);
    }

    /** What a claim ends first is over, though it gets nothing for it itself. */
    @ParameterizedTest
    @EnumSource(
            value = LockKind.class,
            names = {"LOCK", "READ_WRITE", "SEMAPHORE"})
    void aClaimThatGetsNoFenceEndsTheEarlierOneAllTheSame(LockKind kind) {
        Mode mode = kind == LockKind.SEMAPHORE ? new Mode.Permits(1, 1) : Mode.fair();
        Claim earlier = probe.claim("end", kind, mode);
        probe.granted(earlier);
        server.command("SET", "interlock_fence:{end}", "9007199254740991");

        Claim next = probe.claim("end", kind, mode).replacing(earlier.owner());
        assertThat(Probe.failure(probe.store.acquire(next))).hasMessageContaining("out of range");

        assertThat(server.list("KEYS", "*")).containsExactly("interlock_fence:{end}");
    }

    /** A lock of that name would be a hash where another's fence, or its waiters, are looked for. */
    @ParameterizedTest
    @EnumSource(
            value = LockKind.class,
            names = {"LOCK", "READ_WRITE"})
    void aLockIsNotCalledAsAKeyBesideAnother(LockKind kind) {
        Keys keys = new Keys("orders:42");
        Keys tagged = new Keys("{eu}orders");
        OwnerId owner = OwnerId.of("client", 1);
        List<byte[]> beside = Stream.of(keys, tagged)
                .flatMap(of -> Stream.of(
                        of.fence(),
                        of.waiters(),
                        of.forced(),
                        of.forced(owner),
                        of.guard(),
                        of.semaphore(),
                        of.semaphoreWaiters(),
                        of.latch(),
                        of.latchWaiters(),
                        of.shared(),
                        of.sharedWaiters()))
                .toList();
        for (byte[] key : beside) {
            LockId id = new LockId(new String(key, UTF_8), kind);
            assertThat(probe.store.acquire(probe.claim(id.name(), kind, Mode.exclusive())))
                    .failsWithin(Duration.ofMinutes(5))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(UnsupportedOperationException.class)
                    .withMessageContaining(id.name());
        }
        assertThat(server.command("DBSIZE")).isEqualTo("0");
    }

    @Test
    void aSemaphoreMayBeCalledSo_andALockNearlySo() {
        probe.hold("interlock_orders:42");
        probe.hold("interlock_fence");
        probe.granted(probe.claim("interlock_fence:{interlock_fence}", LockKind.SEMAPHORE, new Mode.Permits(1, 2)));
    }

    /** I6: what is left after a release ends by itself. */
    @Test
    void P22_afterAReleaseOnlyTheFenceIsLeftAndExpires() {
        probe.release(probe.hold("short"));

        assertThat(server.list("KEYS", "*")).containsExactly("interlock_fence:{short}");
        assertThat(ttl("interlock_fence:{short}")).isPositive();
    }

    @Test
    void theLifeOfTheFenceCanBeChosen() {
        try (Probe brief = new Probe(RedisStore.builder(server.uri())
                .fenceLife(Duration.ofSeconds(30))
                .build())) {
            Claim claim = brief.claim("brief").withLease(Duration.ofSeconds(9));
            brief.granted(claim);
            assertThat(ttl("interlock_fence:{brief}")).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(30));
            brief.renew(claim.withLease(Duration.ofSeconds(20)));
            assertThat(ttl("interlock_fence:{brief}")).isBetween(Duration.ofSeconds(31), Duration.ofSeconds(60));
        }
    }

    @Test
    void whoWaitsIsListedWithArrivalAndDeadline() {
        Claim held = probe.hold("busy");
        try (Probe other = new Probe(server.uri())) {
            Claim waiting = other.claim("busy").waiting(Duration.ofSeconds(1));
            other.busy(waiting);

            String entry = server.command(
                    "HGET", "interlock_waiters:{busy}", waiting.owner().value());
            assertThat(entry).matches("\\d{16} \\d{16} here 4711 probe main");
            assertThat(ttl("interlock_waiters:{busy}")).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(60));
            assertThat(server.list("PUBSUB", "CHANNELS")).containsExactly("interlock_inbox:" + other.id);
            probe.release(held);
            assertThat(server.list("KEYS", "interlock_waiters*")).isEmpty();
        }
    }

    @Test
    void aReleaseWithNobodyWaitingPublishesNothing() {
        server.command("CONFIG", "RESETSTAT");
        probe.release(probe.hold("quiet"));

        assertThat(server.calls("publish")).isZero();
        assertThat(server.calls("evalsha")).isBetween(2L, 4L);
    }

    /** A dead client must not swallow the wake of a living one. */
    @Test
    void aWakePassesOverTheDead() {
        Claim held = probe.hold("wake");
        try (Probe living = new Probe(server.uri())) {
            try (Probe dead = new Probe(server.uri())) {
                dead.busy(dead.claim("wake").waiting(Duration.ofSeconds(9)));
            }
            await().until(() -> server.list("PUBSUB", "CHANNELS").isEmpty());
            living.busy(living.claim("wake").waiting(Duration.ofSeconds(1)));
            probe.release(held);
            await().untilAsserted(() -> assertThat(living.wakes).containsExactly(LockId.lock("wake")));
        }
    }

    @Test
    void aHashOfRedissonIsBusyAndShown() {
        server.command("HSET", "shared", REDISSON, "2");
        server.command("PEXPIRE", "shared", "120000");

        assertThat(probe.busy(probe.claim("shared"))).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(2));
        LockStatus.Holder holder = Probe.answer(probe.store.inspect(LockId.lock("shared")))
                .holders()
                .get(0);
        assertThat(holder.owner()).isEqualTo(REDISSON);
        assertThat(holder.party()).isEqualTo(Party.UNKNOWN);
        assertThat(holder.token()).isZero();
        assertThat(holder.heldFor()).isZero();
        assertThat(holder.remainingLease()).isPositive();
    }

    @Test
    void aHashOfRedissonIsReleasedByForceWhateverItsCount() {
        server.command("HSET", "shared", REDISSON, "3");
        Claim theirs = Claim.of(LockId.lock("shared"), new OwnerId(REDISSON), Probe.LEASE, Party.UNKNOWN);

        assertThat(probe.release(theirs.byForce())).isTrue();

        assertThat(server.command("EXISTS", "shared")).isEqualTo("0");
        assertThat(server.command("GET", "interlock_forced:{shared}")).isEqualTo(REDISSON);
        assertThat(ttl("interlock_forced:{shared}")).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(60));
    }

    /** A name given by mistake: what an application keeps there must stay. */
    @ParameterizedTest
    @CsvSource({"name, 4711", "colon:, 1", ":7, 1", "client:7, text", "client:7, ''", "client:x, 1"})
    void anybodyElsesHashIsNotReleasedByForce(String field, String value) {
        server.command("HSET", "user:42", field, value);
        Claim claim = Claim.of(LockId.lock("user:42"), new OwnerId(field), Probe.LEASE, Party.UNKNOWN);

        assertThat(probe.release(claim.byForce())).isFalse();

        assertThat(server.list("KEYS", "*")).containsExactly("user:42");
        assertThat(server.list("HGETALL", "user:42")).containsExactly(field, value);
    }

    @Test
    void aLeaseWithoutEndIsBusy() {
        server.command("HSET", "forever", REDISSON, "1");

        assertThat(probe.busy(probe.claim("forever"))).isPositive();
        LockStatus status = Probe.answer(probe.store.inspect(LockId.lock("forever")));
        assertThat(status.holders().get(0).remainingLease()).isGreaterThan(Duration.ofDays(1000));
        assertThat(status.holders().get(0).remainingLease().toNanos()).isPositive();
    }

    @Test
    void aKeyOfAnotherTypeIsAnErrorThatNamesIt() {
        server.command("SET", "plain", "text");

        for (var stage : List.of(
                probe.store.acquire(probe.claim("plain")),
                probe.store.release(probe.claim("plain")),
                probe.store.inspect(LockId.lock("plain")))) {
            assertThat(Probe.failure(stage))
                    .hasMessageContaining("must be a hash")
                    .hasMessageContaining("name=plain");
        }
        assertThat(probe.renew(probe.claim("plain"))).isEqualTo(Renewal.TAKEN);
        assertThat(server.command("GET", "plain")).isEqualTo("text");
    }

    /** Anybody may write into these keys: nothing there stops a lock or a look at it. */
    @Test
    void hostileContentIsPassedOver() {
        Claim held = probe.hold("hostile");
        server.command("HSET", "hostile", "interlock", "not a stamp % %zz");
        server.command(
                "HSET",
                "interlock_waiters:{hostile}",
                "x",
                "",
                "y:1",
                "1 2",
                "z:1",
                "9999999999999999 9999999999999999999 a",
                "w:1",
                "-5 9999999999999999 %zz x y z");

        LockStatus status = Probe.answer(probe.store.inspect(LockId.lock("hostile")));
        assertThat(status.holders().get(0).party()).isEqualTo(Party.UNKNOWN);
        assertThat(status.waiters()).extracting(LockStatus.Waiter::party).containsOnly(Party.UNKNOWN);
        assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(probe.release(held)).isTrue();
        assertThat(server.list("KEYS", "interlock_waiters*")).isEmpty();
    }

    @Test
    void keysBesideANameWithATagHaveNoOther() {
        probe.hold("{tag}x");
        probe.hold("}odd{");

        assertThat(server.list("KEYS", "interlock_fence*"))
                .containsExactlyInAnyOrder(
                        "interlock_fence:{tag}x",
                        "interlock_fence:{" + SlotTags.numberOf(SlotHash.getSlot("}odd{")) + "}:}odd{");
    }

    /** A name and the same in braces share the fence, and exclude nobody for it. */
    @Test
    void aNameAndTheSameInBracesAreTwoLocks() {
        Claim plain = probe.claim("n");
        long fence = probe.granted(plain);
        Claim braced = probe.claim("{n}");

        assertThat(probe.granted(braced)).isGreaterThan(fence);
        assertThat(Probe.answer(probe.store.list("", 10)))
                .extracting(LockStatus::name)
                .containsExactly("n", "{n}");
        assertThat(probe.release(plain)).isTrue();
        assertThat(probe.renew(braced)).isEqualTo(Renewal.HELD);
    }

    @Test
    void P14_aNameAndTheSameInBracesHaveALineEach() {
        Claim plain = probe.claim("n").inMode(Mode.fair());
        probe.granted(plain);
        Claim braced = probe.claim("{n}").inMode(Mode.fair());
        probe.granted(braced);
        Claim waiting = probe.claim("{n}").inMode(Mode.fair()).waiting(Duration.ZERO);
        probe.busy(waiting);

        assertThat(Probe.answer(probe.store.inspect(plain.id())).waiters()).isEmpty();
        probe.release(plain);
        probe.granted(probe.claim("n").inMode(Mode.fair()));
        assertThat(server.command(
                        "HEXISTS", "interlock_waiters::{n}", waiting.owner().value()))
                .isEqualTo("1");
        probe.release(braced);
        await().untilAsserted(() -> assertThat(probe.wakes).contains(waiting.id()));
        probe.granted(waiting);
    }

    @Test
    void aBatchIsRenewedByOneCommandForEach256() {
        List<Claim> claims =
                IntStream.range(0, 600).mapToObj(i -> probe.hold("many:" + i)).toList();
        server.command("CONFIG", "RESETSTAT");

        assertThat(Probe.answer(probe.store.renew(claims))).hasSize(600).containsValue(Renewal.HELD);

        assertThat(server.calls("evalsha") - server.calls("script|load")).isEqualTo(3);
    }

    private static Duration ttl(String key) {
        return Duration.ofNanos(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(server.command("PTTL", key))));
    }
}
