package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.LockStoreContract;
import dev.interlock.testkit.server.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The store keeps the contract of the six verbs on a cluster. */
@Tag("server")
@Tag("drivers")
@Tag("wide")
class ClusterStoreContractTest extends LockStoreContract {

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
