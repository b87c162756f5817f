package dev.interlock.interop;

import dev.interlock.testkit.Effort;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two clients of ours and two of Curator on one path (I2): never two inside that exclude each other, and everybody gets
 * a share.
 */
class CuratorExclusionTest {

    private static final int USES = Effort.pick(400, 8_000);

    private static ZooKeeperClients clients;

    @BeforeAll
    static void open() {
        clients = new ZooKeeperClients();
    }

    @AfterAll
    static void close() {
        clients.close();
    }

    @Tag(Effort.SCALED)
    @Test
    void twoOfEachExcludeEachOtherAndNobodyStarves() {
        Competition.of(
                        USES,
                        List.of(
                                clients.interlock().lock("mutex"),
                                new CuratorLock(new InterProcessMutex(clients.curator(), "/mutex")),
                                clients.interlock().lock("mutex"),
                                new CuratorLock(new InterProcessMutex(clients.curator(), "/mutex"))))
                .runFairly();
    }

    @Tag(Effort.SCALED)
    @Test
    void readersShareAndWritersAreAlone_whoeverTheyAre_withDowngrades() {
        List<ReadWriteLock> locks = List.of(
                clients.interlock().readWriteLock("pair"),
                CuratorLock.both(new InterProcessReadWriteLock(clients.curator(), "/pair")),
                clients.interlock().readWriteLock("pair"),
                CuratorLock.both(new InterProcessReadWriteLock(clients.curator(), "/pair")));
        new ReadersAndWriters(locks, true).take(Turns.fair(USES, locks.size()));
    }
}
