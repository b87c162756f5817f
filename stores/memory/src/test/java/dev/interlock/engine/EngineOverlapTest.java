package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests that set the lease of one claim, from several threads. Invariants I1, I2: the store never forgets a claim
 * before we do, whichever it executes last.
 */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineOverlapTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Simulation one = Simulation.start();
    private final Lease lease =
            one.acquire("n", LeaseTerm.fixed(Duration.ofSeconds(5))).join();

    /** The second one asks for less than the first, and must not take effect behind it. */
    @Test
    void anExtensionWaitsForTheEndOfAnother() {
        Simulation patient = Simulation.patient();
        TransitStore store = patient.store;
        Lease still =
                patient.acquire("n", LeaseTerm.fixed(Duration.ofSeconds(5))).join();
        store.road(Road.KEEP_REQUESTS, Verb.RENEW);
        CompletableFuture<Void> longer = CompletableFuture.runAsync(() -> still.extend(HOUR));
        await().until(() -> store.count(Verb.RENEW) == 1);
        Thread second = new Thread(() -> still.extend(MINUTE));
        second.start();
        await().until(() -> second.getState() == Thread.State.TIMED_WAITING);
        assertThat(store.count(Verb.RENEW)).isEqualTo(1);

        store.letGo();
        longer.join();
        await().until(() -> store.count(Verb.RENEW) == 2);
        store.letGo();
        await().until(() -> !second.isAlive());

        assertThat(still.remaining()).isGreaterThan(MINUTE.multipliedBy(59));
        Duration there = store.inspect(LockId.lock("n"))
                .toCompletableFuture()
                .join()
                .holders()
                .get(0)
                .remainingLease();
        assertThat(there).isGreaterThan(still.remaining());
    }

    /** What it waits for will not be answered, and it would wait for that as long as for an answer. */
    @Test
    void anExtensionThatWaitsIsToldOfTheLoss() {
        Simulation patient = Simulation.patient();
        Lease still =
                patient.acquire("n", LeaseTerm.fixed(Duration.ofSeconds(5))).join();
        patient.store.road(Road.KEEP_REQUESTS, Verb.RENEW);
        Thread first = new Thread(() -> assertThatThrownBy(() -> still.extend(HOUR)));
        first.start();
        await().until(() -> patient.store.count(Verb.RENEW) == 1);
        List<Throwable> told = new CopyOnWriteArrayList<>();
        Thread second = new Thread(() -> told.add(catchThrowable(() -> still.extend(MINUTE))));
        second.start();
        await().until(() -> second.getState() == Thread.State.TIMED_WAITING);

        patient.administration().forceUnlock("n");

        await().until(() -> !second.isAlive());
        assertThat(told).hasSize(1).first().isInstanceOf(LockLostException.class);
        patient.store.letGo();
        await().until(() -> !first.isAlive());
    }

    /** An extension that fails leaves the way free for the next. */
    @Test
    void anExtensionIsSentWhenTheOneBeforeHasFailed() {
        one.store.road(Road.REFUSE, Verb.RENEW);
        assertThat(CompletableFuture.runAsync(() -> lease.extend(HOUR))
                        .handle((nothing, e) -> e)
                        .join())
                .isNotNull();
        one.store.road(Road.OPEN, Verb.RENEW);

        lease.extend(MINUTE);

        assertThat(lease.remaining()).isBetween(MINUTE.minusSeconds(1), MINUTE);
        assertStoreOutlives();
    }

    /** The watchdog goes on as before: an extension only adds to it. */
    @Test
    void I4_theLossOfAnExtendedLeaseIsToldAfterAThirdOfItsTerm() {
        Lease renewed = one.acquire("renewed").join();
        List<LossCause> told = new ArrayList<>();
        renewed.onLost(told::add);
        renewed.extend(HOUR);

        one.neighbour().administration().forceUnlock("renewed");
        one.advance(Duration.ofSeconds(11));

        assertThat(told).containsExactly(LossCause.FORCED);
    }

    @Test
    void aWatchedLeaseKeepsTheLengthOfItsExtension() {
        Lease renewed = one.acquire("renewed").join();
        renewed.extend(HOUR);

        one.advance(MINUTE);
        one.store.road(Road.REFUSE, Verb.RENEW);
        one.advance(MINUTE.multipliedBy(58));

        assertThat(renewed.isValid()).isTrue();
    }

    private void assertStoreOutlives() {
        Duration there = one.inspect("n").holders().get(0).remainingLease();
        assertThat(there).isGreaterThan(lease.remaining());
    }
}
