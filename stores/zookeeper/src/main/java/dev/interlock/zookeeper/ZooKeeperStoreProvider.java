package dev.interlock.zookeeper;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.util.Set;

/** Creates {@link ZooKeeperStore}s from URIs of the scheme {@code zk}. */
public final class ZooKeeperStoreProvider implements LockStoreProvider {

    /** For the service loader. */
    public ZooKeeperStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(ZooKeeperUri.SCHEME);
    }

    @Override
    public LockStore create(String uri) {
        return ZooKeeperStore.at(uri);
    }
}
