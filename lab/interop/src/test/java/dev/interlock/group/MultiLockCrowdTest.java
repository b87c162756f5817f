package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.FarStore;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A crowd on the store in memory, each in a client of its own; and what becomes of it without a lock of several. */
class MultiLockCrowdTest extends MultiLockCrowdContract {

    private final MemoryStore memory = new MemoryStore();
    private final Random random = new Random(11);

    @AfterEach
    void closeMemory() {
        memory.close();
    }

    @Override
    LockStore openStore() {
        return memory.session();
    }

    @Override
    LockStore openFarStore() {
        return new FarStore(memory.session(), Duration.ofNanos(random.nextInt(1_000_000)));
    }

    @Override
    int clientCount() {
        return 100;
    }

    @Override
    int rounds() {
        return Effort.pick(5, 200);
    }

    /** The control: one after the other, in the callers' own orders, nobody gets both. */
    @Test
    void P18_withoutIt_oppositeOrdersDeadlock() {
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        Caller<Boolean> one = Caller.start(() -> oneAfterTheOther(client(), "a", "b", bothHoldOne));
        Caller<Boolean> two = Caller.start(() -> oneAfterTheOther(client(), "b", "a", bothHoldOne));
        assertThat(List.of(one.result(), two.result())).containsOnly(false);
    }

    private static boolean oneAfterTheOther(Interlock client, String first, String second, CyclicBarrier bothHoldOne)
            throws Exception {
        Lease lease = client.lock(first).acquire();
        bothHoldOne.await();
        boolean got = client.lock(second).tryAcquire(Duration.ofMillis(200)).isPresent();
        // Nobody lets go before both have given up.
        bothHoldOne.await();
        lease.close();
        return got;
    }
}
