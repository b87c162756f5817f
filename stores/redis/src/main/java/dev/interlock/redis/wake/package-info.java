/**
 * Wakes: the messages that tell a waiting claim that its lock may be free.
 *
 * <p>Begin with {@link dev.interlock.redis.wake.WakeReceiver}. It chooses a {@code PubSubConnection} from
 * {@code PubSubConnections}, subscribes the {@code Inbox} of the client there, and for {@code redissonInterop} the
 * channels of {@code RedissonWaiters}. Commands in {@code operation} call it before and after a claim waits; nothing
 * here calls them.
 */
@NullMarked
package dev.interlock.redis.wake;

import org.jspecify.annotations.NullMarked;
