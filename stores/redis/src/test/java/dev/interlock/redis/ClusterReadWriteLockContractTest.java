package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.lock.ReadWriteLockContract;
import dev.interlock.testkit.server.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Read/write locks on a cluster keep their contract. In the default build that of the store itself has to do. */
@Tag("server")
@Tag("drivers")
@Tag("long")
@Tag(Effort.SCALED)
class ClusterReadWriteLockContractTest extends ReadWriteLockContract {

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
}
