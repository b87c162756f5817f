package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.kind.KindsContract;
import dev.interlock.testkit.server.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Fair locks, semaphores and latches on a cluster keep their contracts. */
@Tag("server")
@Tag("drivers")
@Tag("wide")
class RedisClusterKindsContractTest extends KindsContract {

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
