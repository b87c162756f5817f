package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A released lock is reserved for the longest waiter, for a moment (I5). */
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

    /** Lists a claim for longer than any test takes. */
    private Claim listed(Client client, Duration waited) {
        Claim claim = client.await(NAME, waited);
        keepListed();
        return claim;
    }

    private void keepListed() {
        rows.execute("UPDATE interlock_claim SET until_ms = until_ms + 600000, lease_ms = lease_ms + 600000");
    }

    /** Releases; a reservation that follows lasts for longer than any test takes. */
    private void release(Client client, Claim claim) {
        client.release(claim);
        keepReserved();
    }

    private void keepReserved() {
        rows.execute("UPDATE interlock_lock SET until_ms = until_ms + 600000, lease_ms = lease_ms + 600000"
                + " WHERE until_ms > 0 AND NOT held");
    }

    @Test
    void release_reservesForTheLongestWaiter() {
        Claim held = a.hold(NAME);
        Claim second = listed(c, Duration.ofSeconds(1));
        Claim first = listed(b, Duration.ofSeconds(2));

        release(a, held);

        assertThat(a.isGranted(a.claim(NAME))).isFalse();
        assertThat(c.isGranted(second)).isFalse();
        assertThat(b.isGranted(first)).isTrue();
    }

    @Test
    void release_doesNotReserveForANewWaiter() {
        Claim held = a.hold(NAME);
        b.await(NAME, Duration.ZERO);

        // A waiter gets a reservation after 10 ms. The release should come earlier; the outcome shows whether it did.
        release(a, held);
        boolean before = rows.number("SELECT count(*) FROM interlock_lock WHERE until_ms > 0") == 0;

        assertThat(a.isGranted(a.claim(NAME))).isEqualTo(before);
    }

    /** A dead waiter costs the others one reservation, and only one. */
    @Test
    void deadWaiter_costsOneReservation() {
        Claim held = a.hold(NAME);
        listed(b, Duration.ofSeconds(2));
        release(a, held);

        Claim next = c.claim(NAME);
        assertThat(c.isGranted(next)).isFalse();
        rows.execute("UPDATE interlock_lock SET until_ms = 1");
        assertThat(c.isGranted(next)).isTrue();
        release(c, next);

        assertThat(a.isGranted(a.claim(NAME))).isTrue();
    }

    @Test
    void waiterThatGivesUpItsReservation_passesItOn() {
        Claim held = a.hold(NAME);
        Claim first = listed(b, Duration.ofSeconds(2));
        Claim second = listed(c, Duration.ofSeconds(1));
        release(a, held);

        release(b, first);

        assertThat(a.isGranted(a.claim(NAME))).isFalse();
        assertThat(c.isGranted(second)).isTrue();
    }

    @Test
    void onlyWaiterThatGivesUpItsReservation_leavesNothing() {
        Claim held = a.hold(NAME);
        Claim first = listed(b, Duration.ofSeconds(2));
        release(a, held);

        b.release(first);

        assertThat(rows.count("lock")).isZero();
        assertThat(rows.count("claim")).isZero();
    }

    @Test
    void waiterWithAReservation_isInspectedAsWaiting() {
        Claim held = a.hold(NAME);
        Claim first = listed(b, Duration.ofSeconds(2));
        release(a, held);

        LockStatus status = c.inspect(NAME);

        assertThat(status.isLocked()).isFalse();
        assertThat(status.waiters())
                .extracting(LockStatus.Waiter::owner)
                .containsExactly(first.owner().value());
        assertThat(a.renew(held)).isEqualTo(dev.interlock.spi.Renewal.DELETED);
    }

    @Test
    void replacing_reservesForANewWaiter_too() {
        Claim held = a.hold(NAME);
        Claim first = listed(b, Duration.ZERO);

        Claim next = a.claim(NAME).waiting(Duration.ofSeconds(9)).replacing(held.owner());
        assertThat(a.isGranted(next)).isFalse();
        keepReserved();
        assertThat(a.isGranted(next)).isFalse();

        assertThat(b.isGranted(first)).isTrue();
    }

    /** The reservation of a late waiter is over, but not its place: it is the first again when it asks. */
    @Test
    void lateWaiter_keepsItsPlace() {
        Claim held = a.hold(NAME);
        Claim late = listed(b, Duration.ofSeconds(20));
        a.release(held);
        Claim barging = c.claim(NAME);
        await().until(() -> c.isGranted(barging));
        Claim other = listed(a, Duration.ofSeconds(1));

        assertThat(b.isGranted(late)).isFalse();
        keepListed();
        release(c, barging);

        assertThat(a.isGranted(other)).isFalse();
        assertThat(b.isGranted(late)).isTrue();
    }

    /** A client that loops without pause does not starve one that polls. */
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
                Claim claim = b.claim(NAME);
                b.lock(claim);
                b.release(claim);
            }
        } finally {
            over.set(true);
            looping.join();
        }
    }
}
