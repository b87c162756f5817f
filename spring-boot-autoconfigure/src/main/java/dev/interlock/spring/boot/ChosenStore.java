package dev.interlock.spring.boot;

import dev.interlock.InterlockBuilder;
import java.util.function.Supplier;

/**
 * The store of the client that the auto-configuration makes.
 *
 * @param name what it is, for people: the scheme of a URI, a kind of connection, or the class of a bean. No address
 * @param client begins the client, without I/O; called once
 */
record ChosenStore(String name, Supplier<InterlockBuilder> client) {}
