package dev.interlock.zookeeper;

import dev.interlock.testkit.arch.ArchitectureRules;

class ZooKeeperArchitectureTest extends ArchitectureRules {

    ZooKeeperArchitectureTest() {
        super(ZooKeeperStore.class, false);
    }
}
