package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that compete for one name (I1, I2, I3). */
interface ExclusionContract extends StoreFixture {

    /** So that clients that spin leave the store to the one that holds. */
    long BACK_OFF_NANOS = 50_000;

    @Tag(Effort.SCALED)
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    default void clients_thatCompete_areNeverInsideTogether() throws Exception {
        int rounds = Effort.pick(40, 1000);
        LockId lock = clients().lock();
        // Not thread-safe on purpose: only the claim protects it.
        List<Long> fences = new ArrayList<>();
        AtomicBoolean failed = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                StoreClient client = client();
                workers.add(threads.submit(() -> compete(client, lock, rounds, fences, failed)));
            }
            for (Future<?> worker : workers) {
                worker.get(Effort.pick(Patience.seconds(), 540L), TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(fences).hasSize(4 * rounds).doesNotHaveDuplicates().isSorted();
    }

    /** The others end with one that fails: they might wait for what it holds. */
    private static void compete(StoreClient client, LockId lock, int rounds, List<Long> fences, AtomicBoolean failed) {
        try {
            compete(client, lock, fences, done -> done < rounds && !failed.get());
        } catch (Throwable e) {
            failed.set(true);
            throw e;
        }
    }

    private static void compete(StoreClient client, LockId lock, List<Long> fences, IntPredicate goesOn) {
        for (int done = 0; goesOn.test(done); ) {
            Claim claim = client.claim(lock).waiting(Duration.ZERO);
            if (client.acquire(claim) instanceof Attempt.Granted granted) {
                int before = fences.size();
                // Others get to run while this one holds.
                LockSupport.parkNanos(BACK_OFF_NANOS);
                fences.add(granted.fence());
                assertThat(fences.size()).as("entries while %s holds", claim).isEqualTo(before + 1);
                assertThat(client.release(claim)).isTrue();
                done++;
            } else {
                client.release(claim);
                LockSupport.parkNanos(BACK_OFF_NANOS);
            }
        }
    }
}
