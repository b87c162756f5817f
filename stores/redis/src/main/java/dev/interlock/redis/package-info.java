/**
 * The Redis store, on Lettuce. {@code docs/internals/redis-format.md} describes its keys and channels.
 *
 * <p>Begin with {@link dev.interlock.redis.RedisStore}, which puts the parts together; users see this package alone. A
 * request passes through the others from top to bottom, and each uses only those below it:
 *
 * <pre>
 *   operation    the verbs: acquire, release, renew, inspect, list, each a script and the meaning of its reply
 *   config       the URI and the settings
 *   wake         messages from the server to waiting claims
 *   topology     the node that gets a command: one server, a cluster, the master that Sentinels name
 *   connection   one connection to one server: opening it, verifying it, giving it up
 *   command      one command and its reply, scripts, errors
 *   format       keys, entries and messages as they stand in Redis
 * </pre>
 */
@NullMarked
package dev.interlock.redis;

import org.jspecify.annotations.NullMarked;
