package dev.interlock.etcd;

import dev.interlock.testkit.arch.ArchitectureRules;

/** Keys say since when a claim has stood: the wall clock is shown to people, and decides nothing. */
class EtcdArchitectureTest extends ArchitectureRules {

    EtcdArchitectureTest() {
        super(EtcdStore.class, Freedom.WALL_CLOCK);
    }
}
