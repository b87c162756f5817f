package dev.interlock.redis.connection;

import dev.interlock.support.Host;
import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection for commands that has just been opened.
 *
 * @param address the server that it leads to; null if only the client that opened it knows
 */
public record OpenedConnection(StatefulRedisConnection<byte[], byte[]> connection, @Nullable Host address) {}
