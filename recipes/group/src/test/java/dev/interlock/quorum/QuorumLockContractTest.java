package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks over a majority of three stores keep the contract of locks. */
@Tag("long")
@Tag(Effort.SCALED)
class QuorumLockContractTest extends DistributedLockContract {

    private static final MemoryNodes NODES = MemoryNodes.of(3);

    @AfterAll
    static void closeStores() {
        NODES.close();
    }

    @Override
    protected LockStore openStore() {
        return NODES.quorum();
    }

    @Override
    protected int scale() {
        return 2_000;
    }

    /**
     * The register of the fence stays for a while, so the heap is no measure here: nothing else stays, and no name but
     * these.
     */
    @Override
    @Test
    public void P22_manyNames_onceEach_leaveNothingBehind() {
        MemoryNodes nodes = MemoryNodes.of(3);
        try (Interlock client = Interlock.builder(nodes.quorum()).build()) {
            for (int i = 0; i < 1_000; i++) {
                client.lock("once-" + i).lock();
                client.lock("once-" + i).unlock();
            }
            int registers = 0;
            for (MemoryStore store : nodes.stores()) {
                try (Interlock node = Interlock.builder(store.session()).build()) {
                    await().untilAsserted(() ->
                            assertThat(node.administration().list("once-", 10)).isEmpty());
                    List<LockStatus> left = node.administration().list("", 10_000);
                    assertThat(left).allMatch(status -> status.name().startsWith(FenceRegister.PREFIX));
                    registers += left.size();
                }
            }
            assertThat(registers).isBetween(2 * 1_000, 3 * 1_000);
        } finally {
            nodes.close();
        }
    }
}
