package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.server.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Locks on a cluster keep the contract of locks. In the default build the contract of the store itself has to do: this
 * takes a minute and a half.
 */
@Tag("server")
@Tag("drivers")
@Tag("long")
@Tag(Effort.SCALED)
class ClusterLockContractTest extends DistributedLockContract {

    private static RedisCluster cluster;

    @BeforeAll
    static void startServers() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.at(cluster.uri());
    }

    /** Its messages are those of a shard from Redis 7 on: who holds hears them only if the lock is retained. */
    @Override
    protected boolean tellsForce() {
        return false;
    }
}
