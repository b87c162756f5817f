/**
 * The settings of a store. {@link dev.interlock.zookeeper.config.ZooKeeperUri} parses a URI into
 * {@link dev.interlock.zookeeper.config.Settings}, which the builder changes. Internal to the store.
 */
@NullMarked
package dev.interlock.zookeeper.config;

import org.jspecify.annotations.NullMarked;
