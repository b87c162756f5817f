package dev.interlock.deadlock;

import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.LockClients;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.IdleCosts;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a detector asks beside a caller that waits for long: the table of idle costs in docs/internals/design.md. */
@Tag(Effort.TIMING)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DetectorIdleTest {

    /** The caller's claim polls each second, less a random part of up to a quarter. */
    private static final double POLLS = 4.0 / 3;

    /** The record, of 10 s, and the lock that the caller holds, of 30 s, are renewed four times in that at most. */
    private static final double RENEWALS = 4.0 / 10 + 4.0 / 30;

    /** The name that is waited for, and the records of the client that holds it; of its own client's once. */
    private static final int INSPECTIONS = 3;

    /** The looks become rarer: 200 ms after the caller came, then after 0.4, 0.8 and 1.6 s, and then each 3 s. */
    private static final int RARE = 4;

    private final MemoryStore store = new MemoryStore();
    private final LockClients clients = new LockClients(store::session);

    @AfterEach
    void close() {
        clients.closeAll();
        store.close();
    }

    @Test
    void longWait_costsALookEachThreeSeconds() throws Exception {
        Interlock other = clients.open();
        String name = clients.name();
        Lease held = other.lock(name).acquire();
        IdleCosts costs = new IdleCosts();
        double looks = INSPECTIONS / (double) Timing.USUAL.longest().toSeconds();
        CountingStore counted = costs.expect(
                "a detector, and a caller that waits", POLLS + RENEWALS + looks, new CountingStore(store.session()));
        AtomicReference<Detector> detector = new AtomicReference<>();
        Interlock waiting = clients.open(counted, builder -> {
            detector.set(Detector.addTo(builder, Timing.USUAL));
            return builder;
        });
        DistributedLock besides = waiting.lock(clients.name());
        Caller<Boolean> caller = Caller.startAction(() -> {
            besides.lock();
            waiting.lock(name).lock();
        });
        await().until(() -> Objects.requireNonNull(detector.get()).looks() >= RARE);

        costs.measure();

        held.release();
        caller.result();
    }
}
