package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a client asks of its store while nothing happens, for an hour of simulated time: the table of idle costs in
 * docs/internals/design.md.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineIdleTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int WAITERS = 300;

    /** Three hundred claims poll a million times in an hour. */
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final Duration LEASE = Duration.ofSeconds(30);

    /** One who comes when those before wait already. */
    private static final Duration LATER = Duration.ofMillis(1);

    private static final LockOptions FAIR = LockOptions.builder().fair(true).build();

    private final Simulation holding = Simulation.start();
    private final Simulation waiting = holding.neighbour();

    /** A waiting claim asks each second, less a random part of up to a quarter. */
    private void ask(String what, int claims, IntFunction<CompletionStage<?>> call, Duration between) {
        List<CompletableFuture<?>> calls = new ArrayList<>();
        if (between.isZero()) {
            waiting.store.road(Road.KEEP_REQUESTS);
        }
        for (int i = 0; i < WAITERS; i++) {
            calls.add(call.apply(i).toCompletableFuture());
            holding.advance(between, waiting);
        }
        waiting.store.road(Road.OPEN);
        waiting.store.letGo();
        waiting.store.forgetRequests();

        Duration time = claims == 1 ? HOUR : MINUTE;
        int least = (int) time.dividedBy(Simulation.POLL_CAP) - 1;
        holding.advance(time, waiting);

        assertThat(waiting.store.count(Verb.ACQUIRE)).as(what).isBetween(claims * least, claims * (least * 4 / 3 + 2));
        assertThat(waiting.store.count(Verb.RELEASE)).as(what).isZero();
        assertThat(waiting.store.count(Verb.RENEW)).as(what).isZero();
        assertThat(calls).as(what).noneMatch(CompletableFuture::isDone);
        calls.forEach(each -> each.cancel(false));
    }

    @Test
    void callersThatWait_costWhatTheTableSays() {
        var unusedLock = holding.acquire("lock");
        var unusedFair = holding.acquire("fair");
        var unusedWriter = holding.readWriteLock("sides", LockOptions.defaults())
                .writeLock()
                .acquireAsync();
        var unusedPermit =
                holding.semaphore("permits", 1, LockOptions.defaults()).acquireAsync(1);
        new EngineLatch(holding.core, new LockId("latch", LockKind.LATCH)).trySetCount(1);
        DistributedReadWriteLock sides = waiting.readWriteLock("sides", LockOptions.defaults());
        DistributedSemaphore permits = waiting.semaphore("permits", 1, LockOptions.defaults());
        EngineLatch latch = new EngineLatch(waiting.core, new LockId("latch", LockKind.LATCH));

        ask("a lock", 1, i -> waiting.acquire("lock"), LATER);
        ask("a fair lock", WAITERS, i -> waiting.lock("fair", FAIR).acquireAsync(), LATER);
        ask("a side", 1, i -> sides.readLock().acquireAsync(), LATER);
        ask("permits, in a line", 1, i -> permits.acquireAsync(1), LATER);
        ask("permits, at once", 1, i -> permits.acquireAsync(1), Duration.ZERO);
        ask("a latch", 1, i -> latch.awaitAsync(), LATER);
    }

    @Test
    void holder_renewsAFewTimesInALease_andAClientAtRestAsksNothing() {
        var held = holding.acquire("lock", LeaseTerm.renewing(LEASE));
        holding.store.forgetRequests();
        waiting.store.forgetRequests();

        holding.advance(HOUR, waiting);

        assertThat(held).isCompletedWithValueMatching(Lease::isValid);
        assertThat((long) holding.store.count(Verb.RENEW))
                .isBetween(HOUR.dividedBy(LEASE), 4 * HOUR.dividedBy(LEASE) + 1);
        assertThat(holding.store.count(Verb.ACQUIRE)).isZero();
        for (Verb verb : Verb.values()) {
            assertThat(waiting.store.count(verb)).as("%s", verb).isZero();
        }
    }
}
