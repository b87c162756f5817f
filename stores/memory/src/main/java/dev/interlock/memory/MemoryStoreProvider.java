package dev.interlock.memory;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.util.Set;

/**
 * Opens {@code memory:}, a new and empty store that no other client shares. So an application can run without a server
 * when its configuration says so. For several clients of one store, use {@link MemoryStore#session()}.
 */
public final class MemoryStoreProvider implements LockStoreProvider {

    private static final String SCHEME = "memory";

    /** For {@link java.util.ServiceLoader}. */
    public MemoryStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public LockStore create(String uri) {
        if (uri.length() != SCHEME.length() + 1) {
            throw new IllegalArgumentException(
                    "The URI of a store in memory is \"memory:\", with nothing after the colon:"
                            + " each client has a store of its own");
        }
        return new MemoryStore();
    }
}
