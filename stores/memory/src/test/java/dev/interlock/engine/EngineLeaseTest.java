package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.GroupMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a lease says of itself and of its end, and what it refuses, on the manual clock. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineLeaseTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final LeaseTerm TEN_SECONDS = LeaseTerm.fixed(Duration.ofSeconds(10));

    private final Simulation one = Simulation.start();

    private static ObjectAssert<LockLostException> lost(Runnable call) {
        return assertThatThrownBy(call::run).asInstanceOf(type(LockLostException.class));
    }

    // ---- how it was lost

    /** The lease was over long before anybody looked. */
    @Test
    void lossByTime_isAsLateAsTheEndOfTheLease_notAsTheFirstLook() {
        Lease fixed = one.acquire("fixed", TEN_SECONDS).join();
        Lease renewed = one.acquire("renewed").join();
        Duration fixedLeft = fixed.remaining();
        Duration renewedLeft = renewed.remaining();

        one.clock.advance(MINUTE);
        assertThat(fixed.isValid()).isFalse();
        assertThat(renewed.isValid()).isFalse();
        lost(fixed::ensureValid).returns(LossCause.EXPIRED, LockLostException::lossCause);
        lost(renewed::ensureValid).returns(LossCause.PAUSED, LockLostException::lossCause);

        one.clock.advance(SECOND);
        Duration since = MINUTE.plus(SECOND);
        lost(fixed::ensureValid)
                .returns(since, LockLostException::heldFor)
                .returns(since, LockLostException::sinceRenewal)
                .returns(since.minus(fixedLeft), LockLostException::late);
        lost(renewed::ensureValid).returns(since.minus(renewedLeft), LockLostException::late);
    }

    @Test
    void lossOfALeaseThatCouldNotBeRenewed_isAsLateAsItsEnd() {
        Lease lease = one.acquire("n").join();
        Duration left = lease.remaining();
        one.store.road(Road.REFUSE, Verb.RENEW);
        one.advance(left.minus(SECOND));
        assertThat(lease.isValid()).isTrue();

        one.clock.advance(MINUTE);
        lost(lease::ensureValid)
                .returns(LossCause.STORE_UNREACHABLE, LockLostException::lossCause)
                .returns(MINUTE.minus(SECOND), LockLostException::late)
                .returns(left.minus(SECOND).plus(MINUTE), LockLostException::sinceRenewal);
    }

    /** An exception that somebody makes of the outcome of a release counts from the release. */
    @Test
    void lossThatTheReleaseHasShown_isAsLateAsThatRelease() {
        GroupMember lock = (GroupMember) one.lock("n");
        Lease lease = one.acquire("n").join();
        one.clock.advance(SECOND);
        LockLostException before = lock.lossOf(lease, LossCause.DELETED);
        assertThat(before.late()).isZero();
        lease.close();
        one.clock.advance(SECOND);
        LockLostException after = lock.lossOf(lease, LossCause.DELETED);
        assertThat(after.late()).isEqualTo(SECOND);
        assertThat(after.heldFor()).isEqualTo(SECOND.multipliedBy(2));
    }

    // ---- holds of a thread

    @Test
    void holdOfAThread_thatIsLost_isLostForEachUnlock() {
        DistributedLock lock =
                one.lock("n", LockOptions.builder().lease(TEN_SECONDS).build());
        lock.lock();
        lock.lock();
        lock.lock();
        lock.unlock();
        one.clock.advance(MINUTE);
        lost(lock::unlock).returns(LossCause.EXPIRED, LockLostException::lossCause);
        lost(lock::unlock).returns(LossCause.EXPIRED, LockLostException::lossCause);
        assertThat(lock.holdCount()).isZero();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    /** A lease that was closed elsewhere was not lost, and unlocking the rest says nothing. */
    @Test
    void holdOfAThread_whoseLeaseWasReleased_isNotLost() {
        DistributedLock lock = one.lock("n");
        lock.lock();
        lock.lock();
        lock.heldLease().close();
        lock.unlock();
        assertThat(lock.holdCount()).isOne();
        lock.unlock();
        assertThat(lock.holdCount()).isZero();
    }

    @Test
    void lostHold_isForgotten_onlyByALockThatSaysSo() {
        LockOptions fixed = LockOptions.builder().lease(TEN_SECONDS).build();
        DistributedLock strict = one.lock("strict", fixed);
        DistributedLock forgetful =
                one.lock("forgetful", fixed.toBuilder().forgetLostHolds(true).build());
        strict.lock();
        forgetful.lock();
        long before = forgetful.heldLease().token();
        forgetful.lock();
        assertThat(forgetful.holdCount()).isEqualTo(2);
        one.clock.advance(MINUTE);

        lost(strict::lock);
        assertThat(strict.holdCount()).isOne();
        forgetful.lock();
        assertThat(forgetful.holdCount()).isOne();
        assertThat(forgetful.heldLease().token()).isGreaterThan(before);
        forgetful.unlock();
    }

    // ---- longer, fewer, to lapse

    @Test
    void extend_ofAReleasedLease_saysThatItWasReleased() {
        Lease lease = one.acquire("n").join();
        lease.close();
        one.store.forgetRequests();
        assertThatThrownBy(() -> lease.extend(MINUTE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was released before");
        assertThat(one.store.count(Verb.RENEW)).isZero();
    }

    /** Nothing must hold up the watchdog until the lease is over. */
    @Test
    void extend_waitsForItsReply_noLongerThanARenewalWould() {
        Lease fixed =
                one.acquire("fixed", LeaseTerm.fixed(Duration.ofMillis(600))).join();
        Lease renewed = one.acquire("renewed", LeaseTerm.renewing(Duration.ofMillis(600)))
                .join();
        one.store.road(Road.LOSE_REQUESTS, Verb.RENEW);
        assertThatThrownBy(() -> fixed.extend(MINUTE))
                .isInstanceOf(StoreUnavailableException.class)
                .hasRootCauseMessage("Could not renew lock 'fixed': the store did not answer within 200 ms");
        assertThatThrownBy(() -> renewed.extend(MINUTE))
                .isInstanceOf(StoreUnavailableException.class)
                .hasRootCauseMessage("Could not renew lock 'renewed': the store did not answer within 100 ms");
    }

    @Test
    void extend_waitsForTheRenewalBeforeIt_asLongAsAnAttemptMayTake() {
        Lease lease = one.acquire("n").join();
        one.store.road(Road.KEEP_REQUESTS, Verb.RENEW);
        while (one.store.count(Verb.RENEW) == 0) {
            one.advance(Duration.ofMillis(100));
        }
        assertThatThrownBy(() -> lease.extend(MINUTE))
                .isInstanceOf(StoreUnavailableException.class)
                .hasRootCauseMessage("Could not renew lock 'n': the store did not answer within 200 ms");
        assertThat(one.store.count(Verb.RENEW)).isOne();
    }

    /** Two readers share a claim. One of them wants it longer, which is not for the other. */
    @Test
    void extend_isForOneReaderOfAClaim() {
        DistributedReadWriteLock both = one.readWriteLock(
                "n", LockOptions.builder().handOver(1023, MINUTE).build());
        Lease longer =
                both.readLock().acquireAsync(TEN_SECONDS).toCompletableFuture().join();
        Lease other =
                both.readLock().acquireAsync(TEN_SECONDS).toCompletableFuture().join();
        assertThat(one.store.count(Verb.ACQUIRE)).isOne();
        Duration before = other.remaining();

        longer.extend(MINUTE);

        assertThat(longer.remaining()).isGreaterThan(Duration.ofSeconds(59));
        assertThat(other.remaining()).isEqualTo(before);
    }

    @Test
    void permitsOfALostLease_areNotGivenBackOneByOne() {
        DistributedSemaphore semaphore =
                one.semaphore("n", 3, LockOptions.builder().lease(TEN_SECONDS).build());
        Lease lease = semaphore.acquireAsync(3).toCompletableFuture().join();
        one.clock.advance(MINUTE);
        one.store.road(Road.KEEP_REQUESTS);
        one.store.forgetRequests();
        lost(() -> semaphore.release(lease, 1)).returns(LossCause.EXPIRED, LockLostException::lossCause);
        assertThat(one.store.count(Verb.EXECUTE)).isZero();
    }

    @Test
    void lapse_afterTheLongestTime_isPossible_andNotAfterMore() {
        Lease lease = one.acquire("n").join();
        assertThatThrownBy(() -> lease.lapseAsync(LeaseTerm.MAX.plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(LeaseTerm.MAX.toString());
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.lapse(LeaseTerm.MAX)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    /** A thread that may not wait for the store is told so before anything is sent. */
    @Test
    void threadThatMayNotWait_neitherExtends_norGivesPermitsBack() {
        boolean[] forbidden = new boolean[1];
        TransitStore store = new TransitStore(new MemoryStore()) {
            @Override
            public void ensureMayWait() {
                if (forbidden[0]) {
                    throw new IllegalStateException("Not on this thread");
                }
            }
        };
        try (Interlock client = Interlock.builder(store).build()) {
            Lease lease = client.lock("n").tryAcquire().orElseThrow();
            DistributedSemaphore semaphore = client.semaphore("n", 3);
            Lease permits = semaphore.tryAcquire(3).orElseThrow();
            forbidden[0] = true;
            assertThatThrownBy(() -> lease.extend(MINUTE)).hasMessage("Not on this thread");
            assertThatThrownBy(() -> semaphore.release(permits, 1)).hasMessage("Not on this thread");
            forbidden[0] = false;
            assertThat(semaphore.availablePermits()).isZero();
            semaphore.release(permits, 3);
            assertThat(semaphore.availablePermits()).isEqualTo(3);
        }
    }

    // ---- what else it says

    @Test
    void lease_saysWhoseItIs_andWhetherItIsValid() {
        Lease lease = one.acquire("n", TEN_SECONDS).join();
        assertThat(lease)
                .hasToString("Lease[name=n, token=" + lease.token() + ", term=" + TEN_SECONDS + ", valid=true]");
        lease.close();
        assertThat(lease.toString()).endsWith("valid=false]");
    }

    @Test
    void callbackOfTheOptions_isGivenTheLease_whenAnotherAsksForIt() {
        List<Lease> asked = new ArrayList<>();
        LockOptions options =
                LockOptions.builder().onRevocationRequested(asked::add).build();
        Lease lease =
                one.lock("n", options).acquireAsync().toCompletableFuture().join();
        one.advance(SECOND);
        assertThat(asked).isEmpty();
        assertThat(one.neighbour().administration().requestRevocation("n")).isTrue();
        one.advance(SECOND);
        assertThat(asked).containsExactly(lease);
    }
}
