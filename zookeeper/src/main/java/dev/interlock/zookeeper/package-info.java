/**
 * The store on ZooKeeper. {@link dev.interlock.zookeeper.ZooKeeperStore} is its door; the nodes are those of Curator's
 * recipes, see docs/zookeeper-format.md.
 */
@NullMarked
package dev.interlock.zookeeper;

import org.jspecify.annotations.NullMarked;
