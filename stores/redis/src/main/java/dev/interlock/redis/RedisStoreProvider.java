package dev.interlock.redis;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.util.Set;

/** Opens {@link RedisStore}s by URI. */
public final class RedisStoreProvider implements LockStoreProvider {

    /** For the service loader. */
    public RedisStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return RedisStoreUri.SCHEMES;
    }

    @Override
    public LockStore create(String uri) {
        return RedisStore.at(uri);
    }
}
