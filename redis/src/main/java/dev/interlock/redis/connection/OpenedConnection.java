package dev.interlock.redis.connection;

import dev.interlock.support.Host;
import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection for commands, as it was opened.
 *
 * @param address where it leads, wherever the next one may lead; null if only the client that opened it knows
 */
public record OpenedConnection(StatefulRedisConnection<byte[], byte[]> connection, @Nullable Host address) {}
