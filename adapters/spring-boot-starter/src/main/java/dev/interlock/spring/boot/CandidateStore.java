package dev.interlock.spring.boot;

import dev.interlock.spi.LockStore;
import dev.interlock.spring.boot.InterlockProperties.StoreKind;
import java.util.function.Supplier;

/**
 * A store that the client could use, because the application has a connection for it.
 *
 * @param kind what {@code interlock.store} calls it
 * @param found what the application has, for messages
 * @param store makes it, without I/O
 * @param name what it is, more closely than the kind says; may ask the store, and fail
 */
record CandidateStore(StoreKind kind, String found, Supplier<LockStore> store, Supplier<String> name) {

    /** One whose kind says it all. */
    CandidateStore(StoreKind kind, String found, Supplier<LockStore> store) {
        this(kind, found, store, kind::text);
    }
}
