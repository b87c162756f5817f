package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FailingConnection;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.Stopwatch;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of the tables: how long they stay, and the tokens after they are gone (I3, I6). */
@Tag("some")
class TablesTest extends FileTest {

    private static final String NAME = "rows";

    private static final int TOGETHER = 50;

    /** What the rows are to a clock that was set forward. */
    private static final String AN_HOUR_LATER =
            "UPDATE interlock_lock SET since_ms = since_ms - 3600000, until_ms = until_ms - 3600000";

    private static final String ALONE = "NOT EXISTS (SELECT 1 FROM interlock_claim c WHERE c.name = ?";

    @SuppressWarnings("NullAway.Init")
    private Client a;

    @SuppressWarnings("NullAway.Init")
    private Client b;

    @BeforeEach
    void open() {
        a = new Client(file);
        b = new Client(file);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    @Tag(Effort.SCALED)
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void P22_namesUsedOnce_leaveNoRow() {
        int names = Effort.pick(2_000, 1_000_000);
        for (int from = 0; from < names; from += TOGETHER) {
            useOnce("name-" + from + "-");
        }

        assertThat(rows.count("lock")).isZero();
        assertThat(rows.count("claim")).isZero();
        assertThat(rows.number("PRAGMA page_count")).isLessThan(40);
    }

    /** Not one by one: two threads would wait for each other a million times. */
    private void useOnce(String prefix) {
        List<Claim> claims =
                IntStream.range(0, TOGETHER).mapToObj(i -> a.claim(prefix + i)).toList();
        List<CompletionStage<Attempt>> attempts =
                claims.stream().map(a.store()::acquire).toList();
        attempts.forEach(attempt -> assertThat(Client.answer(attempt)).isInstanceOf(Attempt.Granted.class));
        List<CompletionStage<Boolean>> releases =
                claims.stream().map(a.store()::release).toList();
        releases.forEach(release -> assertThat(Client.answer(release)).isTrue());
    }

    @Test
    void P22_rowsOfTheDead_areRemovedByTheOthers() {
        // More rows before and after them than a sweep reads.
        for (int i = 0; i < 300; i++) {
            a.hold("alive-" + i);
            a.hold("dead-" + i);
        }
        for (int i = 0; i < 300; i++) {
            a.await("alive-0", Duration.ZERO);
        }
        rows.execute("UPDATE interlock_lock SET until_ms = 0 WHERE name LIKE 'dead-%'");
        rows.execute("UPDATE interlock_claim SET until_ms = 0");
        assertThat(rows.count("lock") + rows.count("claim")).isGreaterThan(600);

        await().until(() -> {
            for (int i = 0; i < 200; i++) {
                b.release(b.hold("busy"));
            }
            return rows.count("lock") == 300 && rows.count("claim") == 0;
        });
    }

    /** Each deletion is a commit, which the next operation waits for. */
    @Test
    void rowsOfTheDead_areDeletedAFewAfterEachOperation() {
        // All at once: a claim that is listed while others wait for long removes those whose time is over.
        a.hold(NAME);
        // When this is answered, the sweep after the first operation is done, which might find some.
        a.inspect(NAME);
        rows.execute("WITH RECURSIVE dead(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM dead WHERE n < 300)"
                + " INSERT INTO interlock_claim (name, kind, owner, state, mode, permits, fence, since_ms, "
                + "until_ms, lease_ms, arrival, channel, host, pid, application, thread)"
                + " SELECT '" + NAME
                + "', 'LOCK', 'dead-' || n, 'W', 'X', 1, 0, 0, 0, 1000, n, '', '', 0, '', '' FROM dead");

        b.hold("first");
        // When the second is answered, the sweep after the first is done.
        b.hold("second");

        assertThat(rows.count("claim")).isBetween(236L, 268L);
    }

    @Test
    void forcedMark_isRemovedWhenOld() {
        Claim held = a.hold(NAME);
        b.release(held.byForce());
        assertThat(rows.count("claim")).isEqualTo(1);
        rows.execute("UPDATE interlock_claim SET until_ms = until_ms - 60000");

        await().until(() -> {
            for (int i = 0; i < 40; i++) {
                b.release(b.hold("alive"));
            }
            return rows.count("claim") == 0;
        });
    }

    @Test
    void tokens_increase_whenTheRowsAreGone() {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            Claim claim = a.claim(NAME);
            long fence = a.granted(claim);
            assertThat(fence).isGreaterThan(last);
            last = fence;
            if (i % 2 == 0) {
                a.release(claim);
            } else {
                rows.execute("DELETE FROM interlock_lock");
                assertThat(a.renew(claim)).isEqualTo(Renewal.DELETED);
            }
            assertThat(rows.count("lock")).isZero();
        }
    }

    @Test
    void P07_tokens_increase_whenTheClockIsSetBackAndTheRowsAreGone() {
        Claim first = a.claim(NAME);
        long ahead = a.granted(first) + 3_600_000_000L;
        // The fence of a grant one hour in the future.
        rows.execute("UPDATE interlock_lock SET fence = " + ahead);
        a.release(first);

        assertThat(a.granted(a.claim(NAME))).isGreaterThan(ahead);
    }

    @Test
    void P07_tokens_increase_whenTheCounterIsLost() {
        Claim first = a.claim(NAME);
        long before = a.granted(first);
        a.release(first);
        rows.execute("UPDATE interlock_fence SET last = 0");
        awaitNextMillisecond();

        Claim second = a.claim(NAME);
        long after = a.granted(second);
        assertThat(after).isGreaterThan(before);
        a.release(second);
        rows.execute("DELETE FROM interlock_fence");
        awaitNextMillisecond();

        assertThat(a.granted(a.claim(NAME))).isGreaterThan(after);
    }

    @ParameterizedTest
    @ValueSource(longs = {Attempt.LARGEST_FENCE - 1, Attempt.LARGEST_FENCE + 1, Long.MAX_VALUE})
    void fenceThatNoClientGives_isNotKeptForOtherNames(long fence) {
        Claim held = a.hold(NAME);
        rows.execute("UPDATE interlock_lock SET fence = " + fence);
        assertThat(a.release(held)).isTrue();
        assertThat(rows.count("lock")).isZero();

        assertThat(b.granted(b.claim("another"))).isLessThan(Attempt.LARGEST_FENCE - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -5, 0})
    void permitsOfAHolder_areOneAtLeast(int permits) {
        LockId id = new LockId(NAME, LockKind.SEMAPHORE);
        a.granted(a.claim(id).inMode(new Mode.Permits(1, 2)));
        rows.execute("UPDATE interlock_claim SET permits = " + permits);
        a.granted(a.claim(id).inMode(new Mode.Permits(1, 2)));

        assertThat(b.isGranted(b.claim(id).inMode(new Mode.Permits(1, 2)))).isFalse();
        assertThat(b.inspect(id).holders())
                .extracting(holder -> holder.mode().toString())
                .containsOnly("1 permit");
    }

    /** Without its counter the store has only its clock, which counts milliseconds. */
    private static void awaitNextMillisecond() {
        long now = System.currentTimeMillis();
        await().pollInterval(Duration.ofMillis(1)).until(() -> System.currentTimeMillis() > now);
    }

    @Test
    void P01_fileReplaced_theHolderIsNotified_andTokensIncrease() throws IOException {
        Claim held = a.claim(NAME);
        long before = a.granted(held);
        Files.delete(file);
        Files.deleteIfExists(directory.resolve("locks.db-wal"));
        Files.deleteIfExists(directory.resolve("locks.db-shm"));

        assertThat(a.renew(held)).isEqualTo(Renewal.DELETED);
        Claim next = b.claim(NAME);
        assertThat(b.granted(next)).isGreaterThan(before);
        assertThat(a.renew(held)).isEqualTo(Renewal.TAKEN);
        assertThat(a.isGranted(a.claim(NAME))).isFalse();
    }

    /** A clock that was set back by an hour would keep a dead holder for an hour and its lease. */
    @Test
    void P10_clockSetBack_keepsADeadHolderNoLongerThanItsLease() throws Exception {
        a.acquire(a.claim(NAME, Duration.ofMillis(500)));
        rows.execute("UPDATE interlock_lock SET since_ms = since_ms + 3600000, until_ms = until_ms + 3600000");

        // The test times out before an hour is over.
        b.lock(b.claim(NAME));

        assertThat(b.inspect(NAME).holders()).hasSize(1);
    }

    @Test
    void P10_clockSetBack_doesNotHurtALiveHolder() {
        Claim held = a.hold(NAME);
        rows.execute("UPDATE interlock_lock SET since_ms = since_ms + 3600000, until_ms = until_ms + 3600000");

        assertThat(b.isGranted(b.claim(NAME).waiting(Duration.ZERO))).isFalse();

        assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(b.inspect(NAME).holders().get(0).heldFor()).isEqualTo(Duration.ZERO);
        assertThat(b.inspect(NAME).holders().get(0).remainingLease()).isLessThanOrEqualTo(Client.LONG_LEASE);
    }

    /**
     * A clock that is set forward by an hour ends all leases, and no renewal revives one: the next holder has the
     * larger token.
     */
    @Test
    void P10_clockSetForward_endsALease_forGood() {
        Claim held = a.claim(NAME);
        long before = a.granted(held);
        assertThat(b.isGranted(b.claim(NAME))).isFalse();
        rows.execute(AN_HOUR_LATER);

        assertThat(a.renew(held)).isEqualTo(Renewal.DELETED);
        Claim next = b.claim(NAME);
        assertThat(b.granted(next)).isGreaterThan(before);
        assertThat(a.renew(held)).isEqualTo(Renewal.TAKEN);
        assertThat(b.renew(next)).isEqualTo(Renewal.HELD);
    }

    /** P01: the holder finds out at its next renewal, which is not later because of the clock. */
    @Test
    void P10_clockSetForward_theHolderIsNotified() throws Exception {
        // A lease that a slow machine renews in time.
        assertThat(causeAfterAClockSetForward(Duration.ofSeconds(9), Duration.ofMinutes(5)))
                .isIn(LossCause.TAKEN, LossCause.DELETED);
    }

    @Tag(Effort.TIMING)
    @Test
    void P10_clockSetForward_theHolderIsNotified_atItsNextRenewal() throws Exception {
        assertThat(causeAfterAClockSetForward(Duration.ofSeconds(3), Duration.ofMillis(200)))
                .isEqualTo(LossCause.TAKEN);
    }

    private LossCause causeAfterAClockSetForward(Duration ttl, Duration excess) throws Exception {
        try (Interlock interlock = Interlock.connect("sqlite:" + file);
                Interlock other = Interlock.connect("sqlite:" + file);
                Lease lease = interlock.lock(NAME).acquire(LeaseTerm.renewing(ttl));
                Stopwatch watch = new Stopwatch()) {
            List<LossCause> causes = new CopyOnWriteArrayList<>();
            lease.onLost(causes::add);
            rows.execute(AN_HOUR_LATER);

            assertThat(other.lock(NAME).acquire().token()).isGreaterThan(lease.token());
            await().pollInterval(Duration.ofMillis(5)).until(() -> !causes.isEmpty());
            watch.assertAtMost(ttl.dividedBy(3).plus(excess), "the news of a lease that the clock has ended");
            assertThat(causes).hasSize(1);
            assertThat(lease.isValid()).isFalse();
            return causes.get(0);
        }
    }

    @Test
    void pollOfAListedWaiter_writesNothing() {
        a.hold(NAME);
        Claim waiting = b.await(NAME, Duration.ofMillis(1));

        // One poll more may list the channel on which the client can be woken, once it listens.
        await().until(() -> {
            long walBefore = walBytes();
            for (int i = 0; i < 50; i++) {
                assertThat(b.isGranted(waiting)).isFalse();
            }
            return walBytes() == walBefore;
        });
    }

    /** The connection fails the statement for a lock that nobody waits for, which it recognizes by its condition. */
    @Test
    void releaseOfAContendedLock_skipsTheStatementForAFreeOne() throws SQLException {
        try (FailingConnection watched = new FailingConnection("jdbc:sqlite:" + file);
                Client c = new Client(JdbcStore.over(watched.source()))) {
            releaseBefore(a, c);
            watched.failOnce(ALONE);
            releaseBefore(a, c);
            assertThat(c.release(c.hold(NAME))).isTrue();
            assertThat(watched.failures()).isZero();

            Claim alone = c.hold(NAME);
            assertThat(Client.failure(c.store().release(alone))).isInstanceOf(AbstractMethodError.class);
        }
    }

    private void releaseBefore(Client waits, Client holds) {
        Claim held = holds.hold(NAME);
        Claim waiting = waits.await(NAME, Duration.ZERO);
        // One that polls would be forgotten after a while.
        rows.execute("UPDATE interlock_claim SET until_ms = until_ms + 600000, lease_ms = lease_ms + 600000");
        assertThat(holds.release(held)).isTrue();
        waits.release(waiting);
    }

    @Test
    void cancelledOperations_areNotExecuted() throws Exception {
        a.release(a.hold("warm"));
        Claim first = a.claim("first");
        CompletableFuture<Attempt> blocked;
        try (var connection = rows.connect();
                var statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            blocked = a.store().acquire(first).toCompletableFuture();
            CompletableFuture<Attempt> queued =
                    a.store().acquire(a.claim("second")).toCompletableFuture();
            queued.cancel(true);
            statement.execute("COMMIT");
        }

        await().until(blocked::isDone);
        // The store waits for the file for a second at most: it may have given up by then on a slow machine.
        assertThat(a.isGranted(first)).isTrue();
        assertThat(a.inspect("second").isLocked()).isFalse();
    }

    private long walBytes() {
        try {
            return Files.size(directory.resolve("locks.db-wal"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
