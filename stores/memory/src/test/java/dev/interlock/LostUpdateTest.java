package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Patience;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A counter that nothing protects but the lock, under two clients with many threads each. Invariants I1 and I2. */
@Tag("scaled")
class LostUpdateTest {

    private static final int THREADS = 8;
    private static final int ROUNDS =
            System.getProperty("interlock.effort", "short").equals("long") ? 200_000 : 10_000;

    private int counter;
    private long lastToken;
    private int tokensOutOfOrder;

    @Test
    @Timeout(240)
    void noUpdateIsLostAndTokensIncrease() throws Exception {
        MemoryStore store = new MemoryStore();
        try (Interlock one = patient(store);
                Interlock two = patient(store.session())) {
            List<Thread> threads = new ArrayList<>();
            for (Interlock client : List.of(one, two)) {
                for (int i = 0; i < THREADS; i++) {
                    Thread thread = new Thread(() -> count(client.lock("counter")));
                    threads.add(thread);
                    thread.start();
                }
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(counter).isEqualTo(2 * THREADS * ROUNDS);
            assertThat(tokensOutOfOrder).isZero();
            assertThat(one.lock("counter").isLocked()).isFalse();
        }
    }

    /** Gives no request up: what it would take back might still be held when all have ended. */
    private static Interlock patient(MemoryStore store) {
        return Interlock.builder(store)
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
    }

    private void count(DistributedLock lock) {
        for (int i = 0; i < ROUNDS; i++) {
            lock.lock();
            try {
                counter++;
                long token = lock.heldLease().token();
                tokensOutOfOrder += token > lastToken ? 0 : 1;
                lastToken = token;
            } finally {
                lock.unlock();
            }
        }
    }
}
