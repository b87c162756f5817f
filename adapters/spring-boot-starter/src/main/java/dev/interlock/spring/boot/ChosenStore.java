package dev.interlock.spring.boot;

import dev.interlock.InterlockBuilder;
import java.util.function.Supplier;

/**
 * The store of the client that the auto-configuration makes.
 *
 * @param kind what it is, for people: the scheme of a URI, a kind of connection, or the class of a bean. No address
 * @param name the same, or more closely, such as the product of a database; may ask the store, and fail
 * @param client begins the client, without I/O; called once
 */
record ChosenStore(String kind, Supplier<String> name, Supplier<InterlockBuilder> client) {

    /** One whose kind says it all. */
    ChosenStore(String kind, Supplier<InterlockBuilder> client) {
        this(kind, () -> kind, client);
    }
}
