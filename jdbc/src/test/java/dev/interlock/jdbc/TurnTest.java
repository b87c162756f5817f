package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.claims.Timing;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who comes next: a released name is kept for the longest waiter, for a moment (I5). */
class TurnTest extends FileTest {

    private static final String NAME = "turn";

    @SuppressWarnings("NullAway.Init")
    private Client a;

    @SuppressWarnings("NullAway.Init")
    private Client b;

    @SuppressWarnings("NullAway.Init")
    private Client c;

    @BeforeEach
    void open() {
        a = new Client(file);
        b = new Client(file);
        c = new Client(file);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        c.close();
    }

    @Test
    void release_keepsTheNameForTheLongestWaiter() {
        Claim held = a.hold(NAME);
        Claim second = c.await(NAME, Duration.ofSeconds(1));
        Claim first = b.await(NAME, Duration.ofSeconds(2));

        a.release(held);

        assertThat(a.isGranted(a.claim(NAME))).isFalse();
        assertThat(c.isGranted(second)).isFalse();
        assertThat(b.isGranted(first)).isTrue();
    }

    @Test
    void release_doesNotKeepTheNameForOneThatHasJustCome() {
        Claim held = a.hold(NAME);
        b.await(NAME, Duration.ZERO);

        // The turn is due after 10 ms: the release is meant to come before, and the outcome says whether it did.
        a.release(held);
        boolean before = rows.number("SELECT count(*) FROM interlock_lock WHERE until_ms > 0") == 0;

        assertThat(a.isGranted(a.claim(NAME))).isEqualTo(before);
    }

    /** A waiter that died costs the others one reservation, and only one. */
    @Test
    void deadWaiter_costsOneReservation() throws Exception {
        Claim held = a.hold(NAME);
        b.await(NAME, Duration.ofSeconds(2));
        a.release(held);
        long start = System.nanoTime();

        Claim next = c.claim(NAME);
        c.lock(next);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        c.release(next);

        assertThat(took).isBetween(Duration.ofMillis(Timing.RESERVED_MS / 2), Duration.ofSeconds(5));
        assertThat(a.isGranted(a.claim(NAME))).isTrue();
    }

    @Test
    void waiterThatGivesUpItsTurn_passesItOn() {
        Claim held = a.hold(NAME);
        Claim first = b.await(NAME, Duration.ofSeconds(2));
        Claim second = c.await(NAME, Duration.ofSeconds(1));
        a.release(held);

        assertThat(b.release(first)).isFalse();

        assertThat(a.isGranted(a.claim(NAME))).isFalse();
        assertThat(c.isGranted(second)).isTrue();
    }

    @Test
    void waiterThatGivesUpItsTurn_withNobodyBehind_leavesNothing() {
        Claim held = a.hold(NAME);
        Claim first = b.await(NAME, Duration.ofSeconds(2));
        a.release(held);

        b.release(first);

        assertThat(rows.count("lock")).isZero();
        assertThat(rows.count("claim")).isZero();
    }

    @Test
    void waiterWhoseTurnItIs_isStillSeenWaiting_andNobodyHolds() {
        Claim held = a.hold(NAME);
        Claim first = b.await(NAME, Duration.ofSeconds(2));
        a.release(held);

        LockStatus status = c.inspect(NAME);

        assertThat(status.isLocked()).isFalse();
        assertThat(status.waiters())
                .extracting(LockStatus.Waiter::owner)
                .containsExactly(first.owner().value());
        assertThat(a.renew(held)).isEqualTo(dev.interlock.spi.Renewal.DELETED);
    }

    @Test
    void replacing_givesTheTurnToOneThatHasJustCome_too() {
        Claim held = a.hold(NAME);
        Claim first = b.await(NAME, Duration.ZERO);

        Claim next = a.claim(NAME).waiting(Duration.ofSeconds(9)).replacing(held.owner());
        assertThat(a.isGranted(next)).isFalse();
        assertThat(a.isGranted(next)).isFalse();

        assertThat(b.isGranted(first)).isTrue();
    }

    /** The reservation of a late waiter is over, but its place is not: it is first in line again when it asks. */
    @Test
    void lateWaiter_keepsItsPlace() {
        Claim held = a.hold(NAME);
        Claim late = b.await(NAME, Duration.ofSeconds(20));
        a.release(held);
        Claim barging = c.claim(NAME);
        await().until(() -> c.isGranted(barging));
        Claim other = a.await(NAME, Duration.ofSeconds(1));

        assertThat(b.isGranted(late)).isFalse();
        c.release(barging);

        assertThat(a.isGranted(other)).isFalse();
        assertThat(b.isGranted(late)).isTrue();
    }

    /** One that loops without pause does not starve one that polls. */
    @Test
    void loopingHolder_doesNotStarveAPoller() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread looping = new Thread(() -> {
            while (!over.get()) {
                Claim claim = a.claim(NAME);
                if (a.isGranted(claim)) {
                    a.release(claim);
                }
            }
        });
        looping.start();
        try {
            for (int i = 0; i < 20; i++) {
                long start = System.nanoTime();
                Claim claim = b.claim(NAME);
                b.lock(claim);
                b.release(claim);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            }
        } finally {
            over.set(true);
            looping.join();
        }
    }
}
