package dev.interlock.etcd;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.util.Set;

/** Creates {@link EtcdStore}s from URIs of the schemes {@code etcd} and {@code etcds}. */
public final class EtcdStoreProvider implements LockStoreProvider {

    /** For the service loader. */
    public EtcdStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("etcd", "etcds");
    }

    @Override
    public LockStore create(String uri) {
        return EtcdStore.at(uri);
    }
}
