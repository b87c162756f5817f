/**
 * The connection to ZooKeeper. Internal to the store.
 *
 * <p>{@link dev.interlock.zookeeper.connection.Connection} owns a client and hands out its present
 * {@link dev.interlock.zookeeper.connection.Session}: begin there. A session sends requests, and knows by its
 * {@code SessionTether} how long it is certain to live. Everything runs on the {@link dev.interlock.support.EventLoop},
 * the one thread of a store. {@link dev.interlock.zookeeper.connection.Listing} reads many names over a connection of
 * its own, and {@link dev.interlock.zookeeper.connection.Failures} has all messages.
 */
@NullMarked
package dev.interlock.zookeeper.connection;

import org.jspecify.annotations.NullMarked;
