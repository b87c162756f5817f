package dev.interlock.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection for commands, as it was opened.
 *
 * @param to where it leads, wherever the next one may lead; null if only the client that opened it knows
 */
record Opened(StatefulRedisConnection<byte[], byte[]> connection, @Nullable Address to) {}
