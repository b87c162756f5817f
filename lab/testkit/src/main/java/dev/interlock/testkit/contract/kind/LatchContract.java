package dev.interlock.testkit.contract.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLatch;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The count-down latch. */
interface LatchContract extends KindsFixture {

    private List<DistributedLatch> latches(int clients) {
        String name = clients().name();
        List<DistributedLatch> latches = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            latches.add(clients().open().latch(name));
        }
        return latches;
    }

    @Test
    default void latch_unset_isAtZero() throws Exception {
        DistributedLatch latch = latches(1).get(0);

        latch.await();
        latch.countDown();

        // Without time to wait, an answer that is late counts as none.
        await().pollInSameThread().until(() -> LockFixture.answer(() -> latch.await(Duration.ZERO)));
        assertThat(latch.count()).isZero();
    }

    @Test
    default void latch_releasesAllWhoWait_atZero() {
        List<DistributedLatch> latches = latches(3);
        assertThat(latches.get(0).trySetCount(2)).isTrue();
        List<Caller<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            DistributedLatch latch = latches.get(i % latches.size());
            waiting.add(Caller.startAction(latch::await));
        }
        // Those of one client share a claim.
        KindsFixture.awaitWaiters(latches.get(0)::inspect, latches.size());
        waiting.forEach(Caller::awaitBlocked);

        latches.get(1).countDown();
        assertThat(latches.get(2).count()).isEqualTo(1);
        assertThat(waiting).noneMatch(Caller::isDone);
        latches.get(2).countDown();

        waiting.forEach(Caller::result);
        assertThat(latches.get(0).count()).isZero();
    }

    @Test
    default void latch_isSetOnce_andAgainAtZero() {
        List<DistributedLatch> latches = latches(2);

        assertThat(latches.get(0).trySetCount(1)).isTrue();
        assertThat(latches.get(1).trySetCount(5)).isFalse();
        assertThat(latches.get(1).count()).isEqualTo(1);
        latches.get(1).countDown();

        assertThat(latches.get(1).trySetCount(5)).isTrue();
        assertThat(latches.get(0).count()).isEqualTo(5);
    }

    @Test
    default void latch_await_endsWithItsTime_andLeavesNothing() throws Exception {
        DistributedLatch latch = latches(1).get(0);
        latch.trySetCount(1);

        assertThat(LockFixture.answer(() -> latch.await(Duration.ofMillis(30)))).isFalse();
        Caller<Boolean> waiting = Caller.startAction(latch::await);
        KindsFixture.awaitWaiters(latch::inspect, 1);
        waiting.interrupt();

        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
        KindsFixture.awaitWaiters(latch::inspect, 0);
    }

    @Test
    default void latch_awaitAsync_completesAtZero_orEndsWithItsTimeOrCaller() throws Exception {
        List<DistributedLatch> both = latches(2);
        both.get(0).trySetCount(1);
        CompletableFuture<Void> zero = both.get(0).awaitAsync().toCompletableFuture();
        CompletableFuture<Boolean> timed = both.get(1).awaitAsync(Patience.FULL).toCompletableFuture();
        CompletableFuture<Void> left = both.get(1).awaitAsync().toCompletableFuture();
        KindsFixture.awaitWaiters(both.get(0)::inspect, 2);

        assertThat(LockFixture.answer(() -> KindsFixture.get(
                        both.get(1).awaitAsync(Duration.ofMillis(30)).toCompletableFuture())))
                .isFalse();
        left.cancel(true);
        KindsFixture.awaitWaiters(both.get(0)::inspect, 2);
        assertThat(zero).isNotDone();
        both.get(1).countDown();

        assertThat(KindsFixture.get(timed)).isTrue();
        zero.get(Patience.seconds(), TimeUnit.SECONDS);
        KindsFixture.awaitWaiters(both.get(0)::inspect, 0);
    }

    /** Invariant I7: the same request again, after a lost answer, does nothing. */
    @Test
    default void P09_latch_countsARepeatedRequestOnce() {
        DistributedLatch latch = latches(1).get(0);
        StoreClient client = clients().raw();
        LockId id = new LockId(latch.name(), LockKind.LATCH);
        Command set = client.command(id, new Command.SetCount(3));
        Command down = client.command(id, new Command.CountDown());

        client.executed(set);
        client.executed(down);
        client.executed(down);
        client.executed(set);

        assertThat(latch.count()).isEqualTo(2);
    }

    @Test
    default void latch_manyCount_fromManyClients() {
        int count = 60;
        List<DistributedLatch> latches = latches(3);
        latches.get(0).trySetCount(count);
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < count / 10; i++) {
            DistributedLatch latch = latches.get(i % latches.size());
            callers.add(Caller.startAction(() -> {
                for (int j = 0; j < 10; j++) {
                    latch.countDown();
                }
                latch.await();
            }));
        }

        callers.forEach(Caller::result);
        assertThat(latches.get(0).count()).isZero();
    }
}
