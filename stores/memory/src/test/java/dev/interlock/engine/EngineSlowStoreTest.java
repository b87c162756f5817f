package dev.interlock.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers that come after the lease is over: they say of it what can be proven, and nothing of others. */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineSlowStoreTest {

    private static final Duration LEASE = Duration.ofMillis(100);
    private static final LeaseTerm FIXED = LeaseTerm.fixed(LEASE);

    /** Longer than the lease, and shorter than the time of an attempt. */
    private static final Duration SLOW = Duration.ofMillis(150);

    private final Simulation one = Simulation.start();

    /** A lease of each kind of lock. */
    enum Kind {
        LOCK(one -> one.acquire("n", FIXED)),
        READ(one -> one.readWriteLock("n", LockOptions.defaults())
                .readLock()
                .acquireAsync(FIXED)
                .toCompletableFuture()),
        WRITE(one -> one.readWriteLock("n", LockOptions.defaults())
                .writeLock()
                .acquireAsync(FIXED)
                .toCompletableFuture()),
        PERMITS(one -> one.semaphore("n", 3, LockOptions.builder().lease(FIXED).build())
                .acquireAsync(2)
                .toCompletableFuture());

        @SuppressWarnings("ImmutableEnumChecker")
        private final Function<Simulation, CompletableFuture<Lease>> acquire;

        Kind(Function<Simulation, CompletableFuture<Lease>> acquire) {
            this.acquire = acquire;
        }

        EngineLease lease(Simulation one) {
            return (EngineLease) acquire.apply(one).join();
        }
    }

    // ---- the release arrives when the lease is over

    @ParameterizedTest
    @EnumSource
    void aLeaseThatRunsOutDuringItsReleaseHasExpired(Kind kind) {
        EngineLease lease = kind.lease(one);
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        one.advance(Duration.ofMillis(40));
        CompletableFuture<ReleaseOutcome> release = lease.releaseAsync().toCompletableFuture();
        one.advance(SLOW);
        one.store.letGo();
        assertThat(release.join()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
        // It ended while the release was under way, a little before 100 ms; it is 190 now.
        LockLostException lost = lease.lostByRelease(LossCause.EXPIRED);
        assertThat(lost.late()).isBetween(Duration.ofMillis(90), Duration.ofMillis(95));
    }

    @Test
    void aLeaseThatRunsOutWhileItIsLeftToLapseHasExpired() {
        Lease lease = Kind.LOCK.lease(one);
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        one.advance(Duration.ofMillis(40));
        CompletableFuture<ReleaseOutcome> left =
                lease.lapseAsync(Duration.ofSeconds(1)).toCompletableFuture();
        one.advance(SLOW);
        one.store.letGo();
        assertThat(left.join()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
    }

    /** The other half: what is not there before the lease can have ended was deleted. */
    @ParameterizedTest
    @EnumSource
    void aLeaseThatIsNotThereBeforeItsEndWasDeleted(Kind kind) {
        EngineLease lease = kind.lease(one);
        Claim claim = lease.life().claim();
        one.memory.release(claim.byForce()).toCompletableFuture().join();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> release = lease.releaseAsync().toCompletableFuture();
        one.advance(Duration.ofMillis(50));
        one.store.letGo();
        LossCause cause = requireNonNull(release.join().lossCause());
        assertThat(cause).isIn(LossCause.DELETED, LossCause.FORCED);
        // Nothing shows when that was: at the latest, it ended here when its holder let go.
        assertThat(lease.lostByRelease(cause).late()).isEqualTo(Duration.ofMillis(50));
    }

    /** A renewing lease that ends during its release, which stopped its renewal: the store has not answered in time. */
    @Test
    void aRenewedLeaseThatRunsOutDuringItsReleaseWasUnreachable() {
        Lease lease = one.acquire("n", LeaseTerm.renewing(LEASE)).join();
        one.store.road(Road.KEEP_REQUESTS, Verb.RELEASE);
        CompletableFuture<ReleaseOutcome> release = lease.releaseAsync().toCompletableFuture();
        one.advance(SLOW);
        one.store.letGo();
        assertThat(release.join()).isEqualTo(ReleaseOutcome.lost(LossCause.STORE_UNREACHABLE));
    }

    /** The renewal asks only when the lease is over. Nobody has deleted it. */
    @Test
    void aLeaseThatRunsOutDuringItsExtensionHasExpired() {
        EngineLease lease = Kind.LOCK.lease(one);
        Arbiter arbiter = one.core.arbiters().of(LockId.lock("n")).get(0);
        Duration length = Duration.ofSeconds(1);
        Extension extension = requireNonNull(arbiter.extend(lease, length));
        one.clock.advanceNanos(SLOW.toNanos());
        arbiter.onRenewalReply(lease.life(), Renewal.DELETED, null, length, extension.atNanos);
        assertThat(lease.outcomeOfRepeatedRelease()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LockLostException.class);
    }

    // ---- the grant arrives when the lease is over

    @Test
    void aGrantThatComesTooLateIsNotHeldByAnother() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> once =
                one.lock("n").tryAcquireAsync(FIXED).toCompletableFuture();
        while (!once.isDone()) {
            one.advance(SLOW);
            one.store.letGo();
        }
        assertThat(once.handle((lease, e) -> e).join())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("after the lease had ended")
                .hasMessageContaining("150 ms")
                .hasMessageContaining("100 ms");
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(11));
        assertThat(one.isAtRest()).isTrue();
    }

    /** The same while the first claim, which came too late, is still in the way of the second. */
    @Test
    void aGrantThatComesTooLateAndIsNotGivenBackYetIsNotAnotherHolder() {
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        one.store.road(Road.LOSE_REQUESTS, Verb.RELEASE);
        CompletableFuture<Optional<Lease>> timed =
                one.lock("n").tryAcquireAsync(Duration.ofMillis(180), FIXED).toCompletableFuture();
        one.advance(SLOW);
        one.store.road(Road.OPEN, Verb.ACQUIRE);
        one.store.letGo();
        one.advance(Duration.ofMillis(90));
        assertThat(one.store.count(Verb.ACQUIRE)).as("asked again").isGreaterThan(1);
        assertThat(timed.handle((lease, e) -> e).join())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("after the lease had ended");
    }

    @Test
    void aGrantThatComesTooLateIsTriedAgainWithinTheWait() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> timed =
                one.lock("n").tryAcquireAsync(Duration.ofSeconds(2), FIXED).toCompletableFuture();
        one.advance(SLOW);
        one.store.road(Road.OPEN, Verb.ACQUIRE);
        one.store.letGo();
        one.advance(Duration.ofSeconds(1));
        assertThat(timed.join()).isPresent();
    }

    /** Somebody else has it indeed. */
    @Test
    void aNameThatAnotherHoldsIsHeld() {
        Simulation other = one.neighbour();
        Lease held = other.acquire("n").join();
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Optional<Lease>> once =
                one.lock("n").tryAcquireAsync(FIXED).toCompletableFuture();
        one.advance(SLOW, other);
        one.store.letGo();
        assertThat(once.join()).isEmpty();
        assertThat(held.isValid()).isTrue();
        assertThat(one.memory
                        .inspect(LockId.lock("n"))
                        .toCompletableFuture()
                        .join()
                        .isLocked())
                .isTrue();
    }
}
