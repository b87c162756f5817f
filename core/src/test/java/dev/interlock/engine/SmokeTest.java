package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmokeTest {

    private int counter;

    @Test
    void countsUnderTwoClients() throws Exception {
        MemoryStore store = new MemoryStore();
        try (Interlock one = Interlock.builder(store).build();
                Interlock two = Interlock.builder(store.session()).build()) {
            List<Thread> threads = new ArrayList<>();
            long start = System.nanoTime();
            for (Interlock client : List.of(one, two)) {
                for (int i = 0; i < 8; i++) {
                    Thread t = new Thread(() -> {
                        DistributedLock lock = client.lock("n");
                        for (int k = 0; k < 20000; k++) {
                            lock.lock();
                            try {
                                counter++;
                            } finally {
                                lock.unlock();
                            }
                        }
                    });
                    threads.add(t);
                    t.start();
                }
            }
            for (Thread t : threads) {
                t.join();
            }
            System.out.println("320000 in " + (System.nanoTime() - start) / 1_000_000 + " ms");
            assertThat(counter).isEqualTo(320000);
        }
    }

    @Test
    void fixedLeaseExpires() throws Exception {
        try (Interlock one = Interlock.inMemory()) {
            DistributedLock lock = one.lock("n");
            lock.lock(LeaseTerm.fixed(Duration.ofMillis(100)));
            Lease next = lock.acquire();
            assertThat(next.isValid()).isTrue();
            assertThatThrownBy(lock::unlock)
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("EXPIRED");
            assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
            next.close();
            assertThat(lock.isLocked()).isFalse();
            assertThat(lock.tryLock(Duration.ZERO)).isTrue();
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(lock.tryAcquireAsync(Duration.ofMillis(30))
                            .toCompletableFuture()
                            .get())
                    .isEmpty();
            var soon = lock.acquireAsync().toCompletableFuture();
            lock.unlock();
            soon.get().close();
        }
    }
}
