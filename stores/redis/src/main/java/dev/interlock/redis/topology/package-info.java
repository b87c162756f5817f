/**
 * The choice of the server that a command is sent to.
 *
 * <p>Begin with {@link dev.interlock.redis.topology.Router}, through which all commands go. While no server has said
 * that it belongs to a cluster, the router has one {@code NodeConnection}. After that it has a {@code Cluster}, whose
 * {@code SlotMap} says which master has which slots.
 *
 * <p>Two connectors find the server for a new connection: {@code SeedNodesConnector} tries several nodes of a cluster,
 * and {@code SentinelConnector} asks {@code Sentinels} for the master, while a {@code SentinelWatch} receives the news
 * of a failover.
 */
@NullMarked
package dev.interlock.redis.topology;

import org.jspecify.annotations.NullMarked;
