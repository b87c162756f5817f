package dev.interlock.redis;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What stands in the server for fair locks, read/write locks, semaphores and latches, and what of others is respected.
 */
@Tag("server")
class KindsFormatTest {

    private static final String REDISSON = "b983c153-7421-469a-addb-44fb92259a1b:41";
    private static final Duration SHORT = Duration.ofMinutes(2);

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
    void aFairLockIsTheHashOfAPlainOne_soThatBothExcludeEachOther() {
        Claim fair = probe.claim("n").inMode(Mode.fair());
        probe.granted(fair);

        assertThat(server.command("HGET", "n", fair.owner().value())).isEqualTo("1");
        assertThat(server.command("HGET", "n", "interlock")).endsWith(" here 4711 probe main f");
        probe.busy(probe.claim("n"));
        probe.release(fair);
        Claim plain = probe.hold("n");
        probe.busy(probe.claim("n").inMode(Mode.fair()));
        probe.release(plain);
    }

    /** Two of the same microsecond: who is shown first has the first turn. */
    @Test
    void P14_whoCameAtTheSameTimeIsShownInTheOrderOfTheTurns() {
        Claim holder = probe.hold("n");
        Claim first = probe.claim("n").inMode(Mode.fair());
        Claim second = probe.claim("n").inMode(Mode.fair());
        for (Claim waiting : List.of(second, first)) {
            probe.busy(waiting.waiting(Duration.ZERO));
            String entry = server.command(
                    "HGET", "interlock_waiters:{n}", waiting.owner().value());
            server.command("HSET", "interlock_waiters:{n}", waiting.owner().value(), entry.replaceFirst("^\\d+", "17"));
        }

        assertThat(Probe.answer(probe.store.inspect(holder.id())).waiters())
                .extracting(LockStatus.Waiter::owner)
                .containsExactly(first.owner().value(), second.owner().value());
        probe.release(holder);
        probe.refused(second.waiting(Duration.ZERO));
        probe.granted(first.waiting(Duration.ZERO));
    }

    /** Redisson counts the fields of this hash, and asks for the key of each reader. */
    @Test
    void aReadWriteLockIsTheHashOfRedisson_withNothingElseInIt() {
        Claim reader = claim(LockKind.READ_WRITE, Mode.shared()).withLease(SHORT);
        probe.granted(reader);

        String owner = reader.owner().value();
        assertThat(server.list("HGETALL", "n")).containsExactlyInAnyOrder("mode", "read", owner, "1");
        assertThat(pttl("n")).isBetween(10_000L, 120_000L);
        assertThat(pttl("{n}:" + owner + ":rwlock_timeout:1")).isBetween(10_000L, 120_000L);
        probe.release(reader);
        assertThat(server.list("KEYS", "*")).containsExactly("interlock_fence:{n}");

        Claim writer = claim(LockKind.READ_WRITE, Mode.fair());
        probe.granted(writer);
        assertThat(server.list("HGETALL", "n"))
                .containsExactlyInAnyOrder("mode", "write", writer.owner().value() + ":write", "1");
        probe.granted(writer.inMode(Mode.shared()));
        assertThat(server.list("HGETALL", "n"))
                .containsExactlyInAnyOrder("mode", "read", writer.owner().value(), "1");
    }

    /** P17: no reader makes another's lease shorter or longer, by coming, renewing or going. */
    @Test
    void P17_everyReaderHasALeaseOfItsOwn() {
        Claim lasting = claim(LockKind.READ_WRITE, Mode.shared());
        Claim brief = claim(LockKind.READ_WRITE, Mode.shared()).withLease(SHORT);
        probe.granted(lasting);
        probe.granted(brief);
        probe.renew(brief);
        assertThat(pttl("n")).isGreaterThan(150_000L);

        probe.release(lasting);
        assertThat(pttl("n")).isBetween(10_000L, 120_000L);
        Claim late = claim(LockKind.READ_WRITE, Mode.shared());
        probe.granted(late);
        probe.release(brief);
        assertThat(pttl("n")).isGreaterThan(150_000L);
        assertThat(Probe.answer(probe.store.inspect(late.id())).holders()).hasSize(1);
    }

    @Test
    void aReaderOfRedissonSharesAndAWriterOfItExcludes() {
        server.command("HSET", "n", "mode", "read", REDISSON, "1");
        server.command("SET", "{n}:" + REDISSON + ":rwlock_timeout:1", "1", "PX", "120000");
        server.command("PEXPIRE", "n", "120000");
        Claim reader = claim(LockKind.READ_WRITE, Mode.shared());
        probe.granted(reader);
        probe.busy(claim(LockKind.READ_WRITE, Mode.fair()));
        assertThat(Probe.answer(probe.store.inspect(reader.id())).holders())
                .extracting(holder -> holder.owner())
                .containsExactlyInAnyOrder(REDISSON, reader.owner().value());
        probe.release(reader);
        assertThat(server.list("HGETALL", "n")).containsExactlyInAnyOrder("mode", "read", REDISSON, "1");
        assertThat(pttl("n")).isBetween(10_000L, 120_000L);

        // Its share is over, though its field still stands there: the whole may be had.
        server.command("DEL", "{n}:" + REDISSON + ":rwlock_timeout:1");
        Claim writer = claim(LockKind.READ_WRITE, Mode.fair());
        probe.granted(writer);
        assertThat(server.command("HGET", "n", REDISSON)).isEmpty();
        probe.release(writer);
        server.command("HSET", "n", "mode", "write", REDISSON + ":write", "1");
        server.command("PEXPIRE", "n", "120000");
        probe.busy(claim(LockKind.READ_WRITE, Mode.shared()));
        probe.busy(claim(LockKind.READ_WRITE, Mode.fair()));
    }

    /** What would be left keeps out clients of Redisson, which look at nothing but the mode. */
    @Test
    void aThreadOfRedissonThatWritesAndReadsIsReleasedByForceWithBoth() {
        server.command("HSET", "n", "mode", "write", REDISSON + ":write", "1", REDISSON, "2");
        server.command("SET", "{n}:" + REDISSON + ":rwlock_timeout:1", "1", "PX", "120000");
        server.command("SET", "{n}:" + REDISSON + ":rwlock_timeout:2", "1", "PX", "120000");
        server.command("PEXPIRE", "n", "120000");
        Claim theirs = Claim.of(
                new LockId("n", LockKind.READ_WRITE), Mode.fair(), new OwnerId(REDISSON), SHORT, Party.UNKNOWN);

        assertThat(probe.release(theirs.byForce())).isTrue();

        assertThat(server.list("KEYS", "*")).containsExactly("interlock_forced:{n}:" + REDISSON);
    }

    @Test
    void permitsStandWithALeaseEach_andTheKeyGoesWithTheLast() {
        Claim brief = claim(LockKind.SEMAPHORE, new Mode.Permits(2, 5)).withLease(SHORT);
        Claim lasting = claim(LockKind.SEMAPHORE, new Mode.Permits(3, 5));
        probe.granted(brief);
        assertThat(pttl("interlock_semaphore:{n}")).isBetween(10_000L, 120_000L);
        probe.granted(lasting);

        assertThat(server.command("HGET", "interlock_semaphore:{n}", "capacity"))
                .isEqualTo("5 0");
        assertThat(server.command(
                        "HGET", "interlock_semaphore:{n}", brief.owner().value()))
                .matches("\\d{16} \\d{16} \\d{16} here 4711 probe main p2");
        assertThat(pttl("interlock_semaphore:{n}")).isGreaterThan(150_000L);
        probe.release(brief);
        probe.release(lasting);
        assertThat(server.list("KEYS", "*")).containsExactly("interlock_fence:{n}");
    }

    @Test
    void aLatchThatIsCountedDownForgetsWhoHasCounted() {
        Command setter = command(new Command.SetCount(2));
        probe.executed(setter);
        probe.executed(command(new Command.CountDown()));
        assertThat(server.list("HKEYS", "interlock_latch:{n}")).hasSize(3);
        probe.executed(command(new Command.CountDown()));

        assertThat(server.list("HGETALL", "interlock_latch:{n}"))
                .containsExactlyInAnyOrder(
                        "count", "0", "setter", setter.owner().value());
        assertThat(pttl("interlock_latch:{n}")).isBetween(10_000L, 120_000L);
    }

    /** Every key has an end, whoever holds and waits. */
    @Test
    void I6_everyKeyEndsByItself() {
        probe.granted(claim(LockKind.READ_WRITE, Mode.shared()));
        probe.busy(claim(LockKind.READ_WRITE, Mode.fair()).waiting(Duration.ZERO));
        probe.granted(claim(LockKind.SEMAPHORE, new Mode.Permits(5, 5)));
        probe.busy(claim(LockKind.SEMAPHORE, new Mode.Permits(1, 5)).waiting(Duration.ZERO));
        probe.executed(command(new Command.Resize(7)));
        probe.executed(command(new Command.SetCount(2)));
        probe.busy(claim(LockKind.LATCH, new Mode.AwaitZero()).waiting(Duration.ZERO));

        assertThat(server.list("KEYS", "*"))
                .hasSizeGreaterThan(8)
                .allSatisfy(key -> assertThat(pttl(key)).as(key).isPositive());
    }

    /** The same text in braces is another name. */
    @Test
    void aNameAndTheSameInBracesAreTwoSemaphores() {
        probe.granted(claim(LockKind.SEMAPHORE, new Mode.Permits(1, 1)));
        LockId braced = new LockId("{n}", LockKind.SEMAPHORE);
        OwnerId owner = OwnerId.of(probe.id, 999);

        probe.granted(Claim.of(braced, new Mode.Permits(1, 1), owner, SHORT, Probe.PARTY));
        assertThat(Probe.answer(probe.store.list("", 10)))
                .extracting(status -> status.name())
                .containsExactly("n", "{n}");
    }

    @Test
    void anyNameOfAnyKindIsListedAndNobodyElsesHash() {
        List<LockId> held = new ArrayList<>();
        for (String name : List.of("listed", "{tag}listed", "listed}", "}listed{", "{}listed", "{7}:listed")) {
            for (LockKind kind : LockKind.values()) {
                held.add(use(kind + name, kind));
            }
        }
        server.command("HSET", "of Redisson", "uuid:1", "1");
        server.command("SET", "interlock_fence:{of Redisson}", "1");
        held.add(LockId.lock("of Redisson"));
        server.command("HSET", "of somebody", "field", "1");

        assertThat(Probe.answer(probe.store.list("", 100)))
                .extracting(status -> new LockId(status.name(), status.kind()))
                .containsExactlyInAnyOrderElementsOf(held);
        assertThat(Probe.answer(probe.store.list("LATCH{", 100))).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"LOCK, READ_WRITE, read/write lock", "READ_WRITE, LOCK, lock"})
    void aNameOfAnotherKindIsAnErrorThatNamesItAndTheRule(LockKind asked, LockKind present, String named) {
        probe.granted(claim(present, Mode.fair()));
        List<String> keys = server.list("KEYS", "*");

        for (Mode mode : List.of(Mode.exclusive(), Mode.fair())) {
            assertThat(Probe.failure(probe.store.acquire(claim(asked, mode).waiting(Duration.ZERO))))
                    .hasMessageContaining("in use as a " + named + " cannot be used as another kind")
                    .hasMessageContaining("name=n");
        }
        assertThat(Probe.failure(probe.store.inspect(new LockId("n", asked)))).hasMessageContaining("name=n");
        assertThat(Probe.answer(probe.store.release(claim(asked, Mode.fair())))).isFalse();
        assertThat(server.list("KEYS", "*")).containsExactlyInAnyOrderElementsOf(keys);
    }

    @ParameterizedTest
    @CsvSource({"READ_WRITE, n", "SEMAPHORE, interlock_semaphore:{n}", "LATCH, interlock_latch:{n}"})
    void aKeyOfAnotherTypeIsAnErrorThatNamesIt(LockKind kind, String key) {
        server.command("SET", key, "text");
        CompletionStage<?> asked =
                switch (kind) {
                    case SEMAPHORE -> probe.store.acquire(claim(kind, new Mode.Permits(1, 1)));
                    case LATCH -> probe.store.execute(command(new Command.SetCount(1)));
                    default -> probe.store.acquire(claim(kind, Mode.shared()));
                };

        assertThat(Probe.failure(asked)).hasMessageContaining("must be a hash").hasMessageContaining("name=n");
        assertThat(server.list("KEYS", "*")).containsExactly(key);
    }

    @Test
    void aModeThatAKindDoesNotHaveIsUnsupported() {
        assertThat(Probe.failure(probe.store.acquire(claim(LockKind.LOCK, Mode.shared()))))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("mode=shared, name=n");
    }

    /** Its old entry, which is over, must not take the new one along. */
    @ParameterizedTest
    @CsvSource({"READ_WRITE", "SEMAPHORE"})
    void whoAsksAgainAfterTheEndOfItsLeaseHoldsAnew(LockKind kind) {
        Mode mode = kind == LockKind.SEMAPHORE ? new Mode.Permits(1, 2) : Mode.shared();
        Claim late = claim(kind, mode);
        Claim other = claim(kind, mode);
        probe.granted(other);
        probe.granted(late.withLease(Duration.ofMillis(1)));
        await().until(
                        () -> holders(late.id()),
                        holders -> holders.equals(List.of(other.owner().value())));

        probe.granted(late);

        assertThat(holders(late.id()))
                .containsExactlyInAnyOrder(other.owner().value(), late.owner().value());
        assertThat(probe.renew(late)).isEqualTo(Renewal.HELD);
    }

    /** Numbers of any length: one entry must not hide what others hold, of this kind or of another. */
    @Test
    void numbersOfAnyLengthHideNoHolder() {
        String long400 = "9".repeat(400);
        List<LockId> held = new ArrayList<>();
        for (LockKind kind : LockKind.values()) {
            String name = kind == LockKind.READ_WRITE ? "rw" : "n";
            held.add(use(name, kind));
        }
        for (String key : List.of("interlock_rw:{rw}", "interlock_semaphore:{n}")) {
            server.command("HSET", key, "a:1", long400 + " 1 " + long400 + " a 1 a a s");
            server.command("HSET", key, "b:1", "1 1 " + long400 + " a 1 a a s");
            server.command("HSET", key, "c:1", "1 1 9999999999999999 a 1 a a p" + long400);
            server.command("HSET", key, "d:1", "9999999999999999 1 999999999999999999 a 1 a a p1");
        }
        server.command("HSET", "interlock_semaphore:{n}", "capacity", long400 + " " + long400);
        server.command("HSET", "interlock_latch:{n}", "count", long400);
        server.command("HSET", "n", "interlock", "999999999999999999 1 a 1 a a");

        assertThat(Probe.answer(probe.store.list("", 100)))
                .extracting(status -> new LockId(status.name(), status.kind()))
                .containsExactlyInAnyOrderElementsOf(held);
        LockStatus permits = Probe.answer(probe.store.inspect(new LockId("n", LockKind.SEMAPHORE)));
        assertThat(permits.count()).isEqualTo(Integer.MAX_VALUE);
        assertThat(permits.holders()).hasSize(2).allSatisfy(holder -> assertThat(holder.token())
                .isPositive());
        assertThat(Probe.answer(probe.store.inspect(new LockId("n", LockKind.LATCH)))
                        .count())
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(Probe.answer(probe.store.inspect(LockId.lock("n"))).holders())
                .allSatisfy(holder -> assertThat(holder.token()).isPositive());
        // The verbs agree with what is shown.
        probe.granted(claim(LockKind.SEMAPHORE, new Mode.Permits(1, 2)));
        probe.busy(claim(LockKind.LATCH, new Mode.AwaitZero()));
        assertThat(probe.release(Claim.of(
                                new LockId("n", LockKind.SEMAPHORE),
                                new Mode.Permits(1, 2),
                                new OwnerId("d:1"),
                                SHORT,
                                Probe.PARTY)
                        .byForce()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"inf", "nan", "-5", "1e300"})
    void aCountThatIsNoNumberIsZero(String count) {
        probe.executed(command(new Command.SetCount(2)));
        server.command("HSET", "interlock_latch:{n}", "count", count);

        assertThat(Probe.answer(probe.store.inspect(new LockId("n", LockKind.LATCH)))
                        .count())
                .isZero();
        probe.granted(claim(LockKind.LATCH, new Mode.AwaitZero()));
    }

    /** Something else where those who wait are looked for. */
    @Test
    void whatStandsBesideALockDoesNotHideItsHolder() {
        probe.hold("n");
        probe.granted(claim(LockKind.SEMAPHORE, new Mode.Permits(1, 2)));
        server.command("SET", "interlock_waiters:{n}", "text");
        server.command("SET", "interlock_semaphore_waiters:{n}", "text");

        assertThat(Probe.answer(probe.store.list("", 100)))
                .allSatisfy(status -> assertThat(status.isLocked()).isTrue())
                .hasSize(2);
    }

    @Test
    void aNameThatCannotBeReadHidesNoOther_andIsNamedInTheLog() {
        try (LogCapture log = new LogCapture()) {
            probe.hold("held");
            probe.granted(probe.claim("rw", LockKind.READ_WRITE, Mode.fair()));
            server.command("SET", "interlock_rw:{rw}", "text");

            assertThat(Probe.answer(probe.store.list("", 100)))
                    .extracting(LockStatus::name)
                    .containsExactly("held");
            assertThat(log.warnings).hasSize(1);
            assertThat(log.warnings.get(0).getMessage()).contains("left out of a listing", "name=rw");
        }
    }

    /** What has not been extended must not be said to be held, though something of it stands. */
    @ParameterizedTest
    @CsvSource({"s", "f"})
    void aHoldOfWhichOnlyRedissonsPartIsLeftIsNotRenewed(String mode) {
        Claim held = probe.claim("n", LockKind.READ_WRITE, mode.equals("s") ? Mode.shared() : Mode.fair());
        probe.granted(held);
        server.command("DEL", "interlock_rw:{n}");

        assertThat(probe.renew(held)).isEqualTo(Renewal.DELETED);
    }

    /** Leases of all kinds go with one command. */
    @Test
    void leasesOfAllKindsAreRenewedByOneCommand() {
        List<Claim> claims = List.of(
                claim(LockKind.SEMAPHORE, new Mode.Permits(2, 5)),
                probe.claim("lock"),
                claim(LockKind.READ_WRITE, Mode.shared()),
                probe.claim("fair").inMode(Mode.fair()));
        claims.forEach(probe::granted);
        claims.forEach(probe::renew);
        server.command("CONFIG", "RESETSTAT");

        assertThat(Probe.answer(probe.store.renew(claims)))
                .hasSize(4)
                .containsValue(Renewal.HELD)
                .doesNotContainValue(Renewal.DELETED);

        assertThat(server.calls("evalsha")).isEqualTo(1);
    }

    /** Takes all of a name, or one of two permits, or sets the count of a latch. */
    private LockId use(String name, LockKind kind) {
        if (kind == LockKind.LATCH) {
            probe.executed(probe.command(name, new Command.SetCount(1)));
        } else {
            probe.granted(probe.claim(name, kind, kind == LockKind.SEMAPHORE ? new Mode.Permits(1, 2) : Mode.fair()));
        }
        return new LockId(name, kind);
    }

    /** What it sets is remembered for a short time. */
    private Command command(Command.Action action) {
        Command any = probe.command("n", action);
        return new Command(any.id(), action, any.owner(), SHORT, any.party());
    }

    private Claim claim(LockKind kind, Mode mode) {
        Claim any = probe.claim("n");
        return Claim.of(new LockId("n", kind), mode, any.owner(), Probe.LEASE, Probe.PARTY);
    }

    private List<String> holders(LockId id) {
        return Probe.answer(probe.store.inspect(id)).holders().stream()
                .map(LockStatus.Holder::owner)
                .toList();
    }

    private static long pttl(String key) {
        return Long.parseLong(server.command("PTTL", key));
    }
}
