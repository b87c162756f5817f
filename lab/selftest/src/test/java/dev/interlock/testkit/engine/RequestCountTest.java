package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.testkit.store.CountingStore;
import org.junit.jupiter.api.Test;

/** How many requests the engine sends (I6). */
@SuppressWarnings("LockNotBeforeTry") // a failed test leaves its lock to the end of its client
class RequestCountTest extends EngineSuite {

    /** A client that holds and waits for nothing asks nothing. */
    @Test
    void I06_anIdleClient_asksNothing() {
        CountingStore store = new CountingStore(clients().store());
        Interlock client = clients().open(store, b -> b);
        assertThat(store.requests()).isZero();
        DistributedLock lock = client.lock(clients().name());
        lock.lock();
        lock.unlock();
        long before = store.requests();

        await().during(BRIEF.multipliedBy(10)).until(() -> store.requests() == before);
    }

    /** An uncontended acquisition is one request, a release another. */
    @Test
    void anUncontendedHold_isTwoRequests() {
        CountingStore store = new CountingStore(clients().store());
        DistributedLock lock = clients().open(store, b -> b).lock(clients().name());
        for (int i = 1; i <= 10; i++) {
            lock.lock();
            lock.unlock();
            assertThat(store.requests()).as("%s", store).isEqualTo(2L * i);
        }
    }
}
