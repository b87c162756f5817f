package dev.interlock.zookeeper;

import dev.interlock.testkit.fuzz.UriFuzz;
import org.junit.jupiter.api.Test;

class ZooKeeperUriFuzzTest {

    @Test
    void uri() {
        UriFuzz.run(
                "ZooKeeper URI",
                ZooKeeperUri::parse,
                "zk://h1",
                "zk://user:s3cr3t@h1:1,h2:2,[::1]:3/app/locks?session=20s",
                "zk://us%40er:s3cr3t@h1/app?recipe=LeaderLatch&session=PT1M");
    }
}
