/**
 * One connection to one server.
 *
 * <p>Begin with {@link dev.interlock.redis.connection.NodeConnection}, a state machine whose states are in
 * {@code ConnectionState}: it opens a connection with a {@link dev.interlock.redis.connection.Connector}, writes the
 * {@code Handshake} to it, whose answer is a {@code HelloReply}, and then commands.
 *
 * <p>A {@code NodeConnector} uses a client of the store's own, and a {@code SharedClientConnector} the application's
 * client; connectors of several servers are in {@code topology}. Clients of the store's own are a
 * {@code DedicatedClient}, or a {@code SharedResourcesClient} with the threads of the application's client for a
 * cluster. Both make a {@code MinimalRedisClient}, which writes through a {@code BatchingEndpoint}.
 */
@NullMarked
package dev.interlock.redis.connection;

import org.jspecify.annotations.NullMarked;
