package dev.interlock.test;

import static dev.interlock.test.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The store and the clients of a test go by one clock, which passes over no moment at which something is due. */
@InterlockTest
class TestClockTest {

    @Test
    void advance_renewsLeasesOnTheWay(Interlock interlock, TestClock clock) {
        DistributedLock lock = interlock.lock("orders");
        lock.run(() -> {
            clock.advance(Duration.ofHours(3));
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            assertThatLock("orders").isHeld();
        });
    }

    @Test
    void advance_endsFixedLeases_andNotBefore(Interlock interlock, TestClock clock) throws InterruptedException {
        Lease lease = interlock.lock("orders").acquire(LeaseTerm.fixed(Duration.ofHours(10)));
        clock.advance(Duration.ofHours(9));
        assertThat(lease.isValid()).isTrue();
        clock.advance(Duration.ofHours(1));
        assertThat(lease.isValid()).isFalse();
        assertThatLock("orders").isFree().wasLost();
        lease.release();
    }

    @Test
    void advance_forAYear_ends(Interlock interlock, TestClock clock) {
        clock.advance(Duration.ofDays(365));
        interlock.lock("orders").run(() -> {});
        assertThatLock("orders").wasAcquired(1);
    }

    @Test
    void advance_outOfRange_isRefused(TestClock clock) {
        assertThatThrownBy(() -> clock.advance(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> clock.advance(Duration.ofDays(366))).isInstanceOf(IllegalArgumentException.class);
    }

    /** It would wait for itself. */
    @Test
    void advance_onTheThreadOfAClient_isRefused() {
        Fixture fixture = Fixture.inMemory("");
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        LockObserver moving = new LockObserver() {
            @Override
            public Acquisition acquiring(String name, dev.interlock.spi.LockKind kind, dev.interlock.spi.Mode mode) {
                return new Acquisition() {};
            }

            @Override
            public void renewed(String name, String owner) {
                try {
                    fixture.clock().advance(Duration.ofSeconds(1));
                    thrown.complete(new AssertionError("The clock was moved"));
                } catch (IllegalStateException e) {
                    thrown.complete(e);
                }
            }
        };
        try (fixture;
                Interlock client = fixture.prepared(Interlock.builder(fixture.newStore()))
                        .observer(moving)
                        .build()) {
            client.lock("orders").run(() -> fixture.clock().advance(Duration.ofSeconds(15)));
            assertThat(thrown.join()).hasMessageContaining("another thread");
        }
    }
}
