package dev.interlock.testkit.memory;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.store.ClaimModelContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;

/** The in-memory store does as the model of claims, also when their time is over. */
class MemoryClaimModelTest extends ClaimModelContract {

    private static final AtomicLong CLOCK = new AtomicLong();
    private static final MemoryStore SHARED = new MemoryStore(CLOCK::get);

    @AfterAll
    static void closeStore() {
        SHARED.close();
    }

    @Override
    protected LockStore openStore() {
        return SHARED.session();
    }

    @Override
    protected Consumer<Duration> timePasses() {
        return time -> CLOCK.addAndGet(time.toNanos());
    }

    @Override
    protected int steps() {
        return Effort.pick(30_000, 1_000_000);
    }
}
