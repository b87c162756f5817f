package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Leaving a lock to lapse: arguments, what is refused, what comes after. */
class LapseTest extends EngineSuite {

    @Test
    void lapse_endsTheLeaseLikeARelease() throws Exception {
        DistributedLock lock = lock();
        AtomicInteger losses = new AtomicInteger();
        try (Lease lease = lock.acquire()) {
            lease.onLost(cause -> losses.incrementAndGet());

            assertThat(lease.lapse(NEVER)).isEqualTo(ReleaseOutcome.RELEASED);

            assertThat(lease.isValid()).isFalse();
            assertThat(lease.remaining()).isZero();
            assertThatThrownBy(lease::ensureValid)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was released");
            assertThat(lease.lapse(Duration.ofSeconds(1))).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
        }
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.inspect().holders().get(0).remainingLease()).isGreaterThan(NEVER.dividedBy(2));
        assertThat(losses).hasValue(0);
    }

    @Test
    void lapseAsync_doesTheSame() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire();

        CompletableFuture<ReleaseOutcome> left = lease.lapseAsync(NEVER).toCompletableFuture();

        assertThat(lease.isValid()).isFalse();
        assertThat(left.get(Patience.seconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(elsewhere(lock).tryAcquire()).isEmpty();
    }

    @Test
    void lapse_afterNoTime_isARelease() throws Exception {
        DistributedLock lock = lock();
        for (Duration none : new Duration[] {Duration.ZERO, Duration.ofMillis(-5)}) {
            assertThat(lock.acquire().lapse(none)).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(lock.isLocked()).isFalse();
            lock.lock();
            lock.lapse(none);
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    void lapse_tooLong_isRefused_andTheLeaseIsAsBefore() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire();

        assertThatThrownBy(() -> lease.lapse(LeaseTerm.MAX.plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(LeaseTerm.MAX + " at most");
        assertThatThrownBy(() -> lease.lapseAsync(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(lease.isValid()).isTrue();
        assertThat(lease.lapse(LeaseTerm.MAX)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void lapse_ofALostLease_saysWhy() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire(LeaseTerm.fixed(Duration.ofMillis(60)));
        await().until(() -> !lease.isValid());

        assertThat(lease.lapse(NEVER)).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));

        lock.tryAcquire(Patience.limit()).orElseThrow().close();
    }

    @Test
    void lapse_ofAClaimThatIsGone_isLost_andLeavesNothing() throws Exception {
        DistributedLock lock = lock();
        Lease lease = lock.acquire(LONG);
        assertThat(operator().forceUnlock(lock.name())).isTrue();

        assertThat(lease.lapse(NEVER)).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));

        assertThat(lock.isLocked()).isFalse();
    }

    /** It is a promise to everybody that nobody comes in, also to the callers of this client. */
    @Test
    void lapse_isNotHandedOver_insideTheClient() throws Exception {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(clients().name());
        Lease lease = lock.acquire();
        CompletableFuture<Lease> next = lock.acquireAsync().toCompletableFuture();

        assertThat(lease.lapse(NEVER)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(lock.inspect().holders()).hasSize(1).allMatch(holder -> holder.isLeft());
        assertThat(next).isNotDone();
        assertThat(client.administration().forceUnlock(lock.name())).isTrue();
        next.get(Patience.seconds(), TimeUnit.SECONDS).close();
    }

    @Test
    void lapse_ofAThread_needsItsLastHold() {
        DistributedLock lock = lock();
        assertThatThrownBy(() -> lock.lapse(NEVER)).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        lock.lock();

        assertThatThrownBy(() -> lock.lapse(NEVER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("held 2 times");

        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        lock.lapse(NEVER);
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.tryLock()).as("a stranger now, and told no loss").isFalse();
    }

    @Test
    void lapse_ofAThreadThatLostTheLock_throws_andTheHoldEnds() {
        DistributedLock lock = lock();
        lock.lock(LONG);
        operator().forceUnlock(lock.name());

        assertThatThrownBy(() -> lock.lapse(NEVER)).isInstanceOf(LockLostException.class);

        assertThat(lock.holdCount()).isZero();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void lapse_ofAReadLock_isRefused_andTheHoldIsAsBefore() throws Exception {
        DistributedReadWriteLock lock = clients().open().readWriteLock(clients().name());
        Lease share = lock.readLock().acquire();
        lock.readLock().lock();

        assertThatThrownBy(() -> share.lapse(NEVER))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("read lock");
        assertThatThrownBy(() -> lock.readLock().lapse(NEVER)).isInstanceOf(UnsupportedOperationException.class);

        assertThat(share.isValid()).isTrue();
        assertThat(lock.readLock().holdCount()).isOne();
        lock.readLock().unlock();
        share.close();
    }

    @Test
    void lapse_ofAWriteLock_keepsReadersOut_notBesideItsOwnShare() throws Exception {
        Interlock client = clients().open();
        DistributedReadWriteLock lock = client.readWriteLock(clients().name());
        lock.writeLock().lock();
        lock.readLock().lock();

        assertThatThrownBy(() -> lock.writeLock().lapse(NEVER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("read lock");

        assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
        lock.readLock().unlock();
        lock.writeLock().lapse(NEVER);
        assertThat(lock.readLock().tryLock()).isFalse();
        assertThat(lock.writeLock().tryLock()).isFalse();
        assertThat(operator().forceUnlock(lock.name())).isTrue();
        assertThat(lock.readLock().tryLock()).isTrue();
        lock.readLock().unlock();
    }
}
