/**
 * The store on ZooKeeper, with the nodes of Curator's recipes: docs/internals/zookeeper-format.md describes them. Begin
 * with {@link dev.interlock.zookeeper.ZooKeeperStore}, which passes each verb on to the event loop.
 *
 * <pre>
 *  ZooKeeperStore ----> {@code LocalClaims}    the claims of this client
 *       |                 |   \
 *       |                 |    ----> node      a package: paths, names, data, queues; no I/O
 *       v                 v            ^
 *  {@code ZooKeeperUri}   {@code Connection} ------+        client, session, event loop
 * </pre>
 *
 * <p>{@link dev.interlock.support.SessionClaim} is the life of one claim, with its states and moves: begin there.
 * {@code LocalClaim} adds the order of its requests. The subclasses of that are the recipes: {@code LockClaim} (locks
 * and read/write locks), {@code SemaphoreClaim} and {@code LatchClaim}. Commands are {@code OneShotRequest}s.
 * {@code NodeRemoval} deletes nodes that have to be searched for, {@code Revocation} passes requests to release on, and
 * {@code Catalog} reads who holds and who waits. Curator's barriers are no claims, and share the session and the
 * watches with them: {@code Entrant} is a party in a double barrier, {@code BarrierNode} a barrier that somebody sets.
 *
 * <p>{@code Connection} owns a client and hands out its present {@code Session}, which sends requests, and knows by its
 * {@code SessionTether} how long it is certain to live. Everything runs on the {@link dev.interlock.support.EventLoop},
 * the one thread of a store. {@code Listing} reads many names over a connection of its own, and {@code Failures} has
 * all messages.
 *
 * <p>What is public here is API. The package {@code node} is not, and may change at any time.
 */
@NullMarked
package dev.interlock.zookeeper;

import org.jspecify.annotations.NullMarked;
