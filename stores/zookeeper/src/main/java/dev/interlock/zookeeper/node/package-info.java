/**
 * The format: which nodes exist, what is in them, and what follows from them. Nothing here does I/O or keeps state, and
 * docs/internals/zookeeper-format.md describes the same for people. Internal to the store.
 *
 * <p>{@link dev.interlock.zookeeper.node.Paths} and {@link dev.interlock.zookeeper.node.NodeName} say where nodes are
 * and what they are called. {@link dev.interlock.zookeeper.node.NodeQueue} decides who holds and who is in whose way:
 * begin there. {@link dev.interlock.zookeeper.node.Payload}, {@link dev.interlock.zookeeper.node.SemaphoreCapacity} and
 * {@link dev.interlock.zookeeper.node.LatchCount} are the data of nodes.
 */
@NullMarked
package dev.interlock.zookeeper.node;

import org.jspecify.annotations.NullMarked;
