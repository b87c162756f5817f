package dev.interlock.mongodb;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.util.Set;

/** Opens {@code mongodb://[user:password@]host[:port]/database[?collection=name]} and {@code mongodb+srv://}. */
public final class MongoStoreProvider implements LockStoreProvider {

    /** For {@link java.util.ServiceLoader}. */
    public MongoStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.copyOf(MongoUri.SCHEMES);
    }

    @Override
    public LockStore create(String uri) {
        return MongoStore.at(uri);
    }
}
