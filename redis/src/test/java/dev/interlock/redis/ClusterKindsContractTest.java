package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.contract.KindsContract;
import dev.interlock.testkit.server.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The other kinds of lock keep their contracts on a cluster. In the default build the contract of the store itself has to do. */
@EnabledIfSystemProperty(named = Effort.PROPERTY, matches = "long")
class ClusterKindsContractTest extends KindsContract {

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
