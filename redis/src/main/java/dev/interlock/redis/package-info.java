/**
 * The Redis store, on Lettuce. The format of its keys and channels is described in {@code docs/redis-format.md}.
 *
 * <p>{@link dev.interlock.redis.RedisStore} is the door. A {@code Link} owns the connection that commands go through,
 * an {@code Inbox} the one that wakes come from, a {@code Call} is one command on its way and the stage that its caller
 * sees.
 */
@NullMarked
package dev.interlock.redis;

import org.jspecify.annotations.NullMarked;
