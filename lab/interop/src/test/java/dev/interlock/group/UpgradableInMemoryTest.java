package dev.interlock.group;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;

/** The upgradable lock on the store in memory. */
class UpgradableInMemoryTest extends UpgradableContract {

    private final MemoryStore memory = new MemoryStore();

    @Override
    LockStore openStore() {
        return memory.session();
    }
}
