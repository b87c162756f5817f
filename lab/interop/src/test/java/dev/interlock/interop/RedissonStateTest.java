package dev.interlock.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Each side sees the other's hold, also after it has expired or was ended by force (I2, I8). */
class RedissonStateTest {

    /** Of holders whose lease is to end. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** Of holders whose renewal is to find the claim gone. */
    private static final Duration RENEWED = Duration.ofSeconds(9);

    /** Gives the lock to the thread of Redisson that is named, in the way of its own scripts. */
    private static final String TAKE_OVER =
            """
            redis.call('del', KEYS[1])
            redis.call('hset', KEYS[1], ARGV[1], '1')
            redis.call('pexpire', KEYS[1], ARGV[2])""";

    private final Clients clients = new Clients();
    private final Interlock interlock = clients.interlock(true);
    private final RedissonClient redisson = clients.redisson();

    @AfterEach
    void close() {
        clients.close();
    }

    @Test
    void whatWeHoldRedissonDoesNotGet() {
        DistributedLock ours = interlock.lock("state:a");
        RLock theirs = redisson.getLock("state:a");
        ours.lock();
        assertThat(theirs.tryLock()).isFalse();
        assertThat(theirs.isLocked()).isTrue();
        assertThat(theirs.remainTimeToLive()).isBetween(1L, 30_000L);
        assertThatThrownBy(theirs::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(ours.isHeldByCurrentThread()).isTrue();
        ours.unlock();
        assertThat(theirs.tryLock()).isTrue();
        theirs.unlock();
    }

    @Test
    void whatRedissonHoldsWeDoNotGet() {
        DistributedLock ours = interlock.lock("state:b");
        RLock theirs = redisson.getLock("state:b");
        theirs.lock();
        theirs.lock();
        assertThat(ours.tryLock()).isFalse();
        assertThat(ours.isLocked()).isTrue();
        assertThat(ours.inspect().holders()).hasSize(1);
        theirs.unlock();
        assertThat(ours.tryLock()).isFalse();
        theirs.unlock();
        assertThat(ours.isLocked()).isFalse();
        assertThat(ours.tryLock()).isTrue();
        ours.unlock();
    }

    @Test
    void aFixedLeaseOfRedissonThatIsOverIsOurs() throws InterruptedException {
        RLock theirs = redisson.getLock("state:c");
        long begin = System.nanoTime();
        theirs.lock(LEASE.toMillis(), TimeUnit.MILLISECONDS);
        Optional<Lease> lease = interlock.lock("state:c").tryAcquire(Patience.FULL);
        assertThat(lease).isPresent();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(LEASE);
        // Its unlock is too late, and must not end our claim.
        assertThatThrownBy(theirs::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lease.orElseThrow().release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void aFixedLeaseOfOursThatIsOverIsRedissons() throws InterruptedException {
        Lease lease = interlock.lock("state:d").acquire(LeaseTerm.fixed(LEASE));
        RLock theirs = redisson.getLock("state:d");
        assertThat(theirs.tryLock(Patience.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.EXPIRED));
        assertThat(theirs.isHeldByCurrentThread()).isTrue();
        theirs.unlock();
    }

    @Test
    void aHoldOfOursThatRedissonEndsByForceIsLost() throws InterruptedException {
        Lease lease = interlock.lock("state:e").acquire(LeaseTerm.renewing(RENEWED));
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        lease.onLost(lost::complete);
        assertThat(redisson.getLock("state:e").forceUnlock()).isTrue();
        assertThat(lost.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join()).isEqualTo(LossCause.DELETED);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void aHoldOfOursThatRedissonTakesOverIsLost() throws InterruptedException {
        Lease lease = interlock.lock("state:f").acquire(LeaseTerm.renewing(RENEWED));
        CompletableFuture<LossCause> lost = new CompletableFuture<>();
        lease.onLost(lost::complete);
        RLock theirs = redisson.getLock("state:f");
        // In one step: between two, our renewal could find the lock free.
        clients.server()
                .command(
                        "EVAL",
                        TAKE_OVER,
                        "1",
                        "state:f",
                        redisson.getId() + ":" + Thread.currentThread().getId(),
                        Long.toString(Patience.FULL.toMillis()));
        assertThat(lost.orTimeout(Patience.seconds(), TimeUnit.SECONDS).join()).isEqualTo(LossCause.TAKEN);
        assertThat(theirs.isHeldByCurrentThread()).isTrue();
        theirs.unlock();
    }

    @Test
    void aHoldOfRedissonCanBeEndedByForce() {
        DistributedLock ours = interlock.lock("state:g");
        RLock theirs = redisson.getLock("state:g");
        theirs.lock();
        assertThat(interlock.administration().forceUnlock("state:g")).isTrue();
        assertThat(theirs.isHeldByCurrentThread()).isFalse();
        assertThat(ours.tryLock()).isTrue();
        assertThatThrownBy(theirs::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(ours.isHeldByCurrentThread()).isTrue();
        ours.unlock();
    }
}
