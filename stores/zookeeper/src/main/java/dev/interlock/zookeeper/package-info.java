/**
 * The store on ZooKeeper, with the nodes of Curator's recipes: docs/internals/zookeeper-format.md describes them. Begin
 * with {@link dev.interlock.zookeeper.ZooKeeperStore}, which passes each verb on to the event loop.
 *
 * <pre>
 *  ZooKeeperStore ----> claim         the claims of this client, a state machine each
 *       |                 |   \
 *       |                 |    ----> node         the format: paths, names, data, queues; no I/O
 *       v                 v            ^
 *    config  &lt;------ connection -------+          client, session, event loop
 * </pre>
 *
 * <p>Only this package is API. The others are public for technical reasons, and may change at any time.
 */
@NullMarked
package dev.interlock.zookeeper;

import org.jspecify.annotations.NullMarked;
