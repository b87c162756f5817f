package dev.interlock.testkit.engine;

import static dev.interlock.testkit.contract.lock.ReadWriteFixture.isFree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.testkit.contract.lock.ReadWriteFixture;
import dev.interlock.testkit.store.CountingStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Readers of one process share a claim for a turn. */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class ReaderTurnTest extends EngineSuite implements ReadWriteFixture {

    /**
     * A reader that holds for long does not keep the readers of its own process out, nor those of others, nor a writer
     * that comes after its end.
     */
    @Test
    void order_aLongReader_isInNoReadersWay() throws Exception {
        DistributedReadWriteLock one = readWriteLock();
        DistributedReadWriteLock two = elsewhere(one);
        Lease reader = one.readLock().acquire();
        await("the end of the turn").pollDelay(Duration.ofMillis(30)).until(() -> true);
        for (int i = 0; i < 5; i++) {
            assertThat(isFree(one.readLock())).isTrue();
            assertThat(isFree(two.readLock())).isTrue();
            assertThat(isFree(one.writeLock())).isFalse();
            assertThat(isFree(two.writeLock())).isFalse();
        }
        assertThat(reader.isValid()).isTrue();
        reader.close();
        assertThat(isFree(two.writeLock())).isTrue();
        assertThat(one.inspect().isLocked()).isFalse();
    }

    /** Readers of one process share a claim: only the first one asks the store. */
    @Test
    void readers_ofOneProcess_costNothingBesideTheFirst() throws Exception {
        CountingStore store = new CountingStore(clients().store());
        LockOptions longTurns = LockOptions.builder()
                .handOver(LockOptions.MAX_HAND_OVERS, Duration.ofMinutes(1))
                .build();
        DistributedReadWriteLock lock =
                clients().open(store, b -> b).readWriteLock(clients().name(), longTurns);
        try (Lease first = lock.readLock().acquire()) {
            long before = store.requests();
            for (int i = 0; i < 1000; i++) {
                lock.readLock().acquire().close();
            }
            assertThat(store.requests()).isEqualTo(before);
            assertThat(first.isValid()).isTrue();
        }
    }
}
