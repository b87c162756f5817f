package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What callers give up that a store still has in its line, or has sent. A release for each, repeated because nobody
 * knows what became of the acquire, would keep a slow store too busy to answer those who come later, for ever.
 * Criterion P12, invariant I6.
 */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineWithdrawalTest {

    private final Simulation one = Simulation.start();

    @BeforeEach
    void keepALine() {
        one.store.keepsALine();
    }

    @Test
    void P12_whatWasNeverSent_isNotTakenBack() {
        one.store.road(Road.KEEP_REQUESTS);
        for (int i = 0; i < 100; i++) {
            one.acquire("n").cancel(false);
        }
        one.store.letGo();
        one.advance(Duration.ofMinutes(1));

        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(100);
        assertThat(one.store.count(Verb.RELEASE)).isZero();
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.isAtRest()).isTrue();
    }

    /** Nor if the engine itself does not wait any more, and asks again. */
    @Test
    void P12_whatWasNotSentInTime_isNotTakenBack() {
        one.store.road(Road.KEEP_REQUESTS);
        CompletableFuture<Lease> waiting = one.acquire("n");
        one.advance(Simulation.ATTEMPT_TIMEOUT.multipliedBy(2));
        assertThat(one.store.count(Verb.ACQUIRE)).isGreaterThan(1);
        one.store.road(Road.OPEN);
        one.store.letGo();

        assertThat(waiting).isCompleted();
        waiting.join().close();
        one.advance(Duration.ofMinutes(1));
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
    }

    /**
     * A database that cannot be reached fails each verb before it is sent: it is to hear of no more than was asked,
     * above all when it comes back.
     */
    @Test
    void P25_whatFailedBeforeItWasSent_isNotTakenBack() {
        one.store.road(Road.REFUSE);
        CompletableFuture<Lease> waiting = one.acquire("n");
        one.advance(Duration.ofSeconds(2));
        assertThat(waiting).isNotDone();
        assertThat(one.store.count(Verb.ACQUIRE)).isGreaterThan(1);
        assertThat(one.store.count(Verb.RELEASE)).isZero();

        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(1));
        waiting.join().close();
        assertThat(one.isAtRest()).isTrue();
    }

    /** Its place in the line may last longer than the lease that it wanted: until then it is taken back. */
    @Test
    void aPlaceThatOutlivesItsLease_isGivenBack() {
        CompletableFuture<Lease> holder = one.acquire("n");
        Simulation two = one.neighbour();
        LockOptions brief = LockOptions.builder()
                .fair(true)
                .lease(LeaseTerm.renewing(Duration.ofMillis(60)))
                .build();
        two.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        two.lock("n", brief).acquireAsync().toCompletableFuture().cancel(false);
        assertThat(two.store.count(Verb.RELEASE))
                .as("before the acquire arrives")
                .isEqualTo(1);

        two.advance(Duration.ofMillis(100), one);
        two.store.letGo();
        assertThat(one.inspect("n").waiters()).hasSize(1);
        two.advance(Duration.ofSeconds(3), one);

        assertThat(one.inspect("n").waiters()).isEmpty();
        assertThat(holder.join().isValid()).isTrue();
    }

    /** Control of the test above: whether a store without a line has sent what failed, nobody can tell. */
    @Test
    void P09_whatFailed_isTakenBack_ifItMayHaveBeenSent() {
        Simulation other = Simulation.start();
        other.store.road(Road.REFUSE, Verb.ACQUIRE);
        CompletableFuture<Lease> waiting = other.acquire("n");
        other.advance(Duration.ofSeconds(2));

        assertThat(other.store.count(Verb.RELEASE)).isGreaterThan(1);
        waiting.cancel(false);
    }

    /** Nor if the client closes: what it really holds is not to wait behind that. */
    @Test
    void P27_whatWasNeverSent_isNotTakenBackByTheClosing() {
        one.store.road(Road.KEEP_REQUESTS);
        for (int i = 0; i < 100; i++) {
            var unused = one.acquire("n-" + i);
        }
        one.core.close();
        one.store.letGo();

        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(100);
        assertThat(one.store.count(Verb.RELEASE)).isZero();
    }

    /**
     * Nor if it is just being sent: the first call of a store that is not connected loads classes. The store answers no
     * release, as long as it is not connected.
     */
    @Test
    void P27_sendingToADisconnectedStore_isNotWaitedForByClose() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch loaded = new CountDownLatch(1);
        AtomicInteger releases = new AtomicInteger();
        LockStore cold = new ForwardingStore(new MemoryStore()) {
            @Override
            public boolean isConnected() {
                return false;
            }

            @Override
            public CompletionStage<Attempt> acquire(Claim claim) {
                called.countDown();
                try {
                    loaded.await();
                } catch (InterruptedException e) {
                    return CompletableFuture.failedFuture(e);
                }
                return new QueuedAnswer<>();
            }

            @Override
            public CompletionStage<Boolean> release(Claim claim) {
                releases.incrementAndGet();
                return new QueuedAnswer<>();
            }
        };
        Interlock client =
                Interlock.builder(cold).closeTimeout(Duration.ofHours(1)).build();
        Caller<Lease> caller = Caller.start(client.lock("n")::acquire);
        called.await();
        Caller<Boolean> closing = Caller.startAction(client::close).awaitBlocked();

        loaded.countDown();

        assertThat(closing.result()).isTrue();
        assertThat(caller.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(releases).hasValue(0);
    }

    /** It was sent, and granted: that is heard, late as it is. */
    @Test
    void P09_whatWasSent_isTakenBackOnce() {
        one.store.road(Road.KEEP_ANSWERS);
        CompletableFuture<Lease> given = one.acquire("n");
        assertThat(one.inspect("n").isLocked()).as("the store has granted it").isTrue();
        given.cancel(false);
        one.store.letGo();
        assertThat(one.inspect("n").isLocked()).isFalse();
        one.advance(Duration.ofMinutes(1));

        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
        assertThat(one.isAtRest()).isTrue();
    }

    /** It was sent, and refused: its answer says that there is nothing, and nobody has to look for it any more. */
    @Test
    void P12_whatWasRefused_isNotLookedForAgain() {
        Lease held = one.neighbour().acquire("n").join();
        one.store.road(Road.KEEP_ANSWERS);
        one.lock("n").tryAcquireAsync().toCompletableFuture().cancel(false);
        one.store.letGo();
        one.advance(Duration.ofMinutes(1));

        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
        assertThat(one.isAtRest()).isTrue();
        held.close();
    }

    /** The store lists it by an earlier request; that the next was not sent does not take it off the list. */
    @Test
    void aListedClaim_isTakenBack_evenIfItsNextRequestWasNotSent() {
        Lease held = one.neighbour().acquire("n").join();
        CompletableFuture<Lease> waiting = one.acquire("n");
        assertThat(one.inspect("n").waiters()).hasSize(1);
        one.store.road(Road.KEEP_REQUESTS, Verb.ACQUIRE);
        // The pause has a random part, and the request that follows it must not be overdue.
        while (one.store.count(Verb.ACQUIRE) < 2) {
            one.advance(Duration.ofMillis(1));
        }
        waiting.cancel(false);

        assertThat(one.inspect("n").waiters()).isEmpty();
        one.advance(Duration.ofMinutes(1));
        assertThat(one.store.count(Verb.RELEASE)).isEqualTo(1);
        held.close();
    }
}
