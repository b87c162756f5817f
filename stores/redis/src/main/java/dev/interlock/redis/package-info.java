/**
 * The Redis store, on Lettuce. {@code docs/internals/redis-format.md} describes its keys and channels.
 *
 * <p>Begin with {@link dev.interlock.redis.RedisStore}, which puts the parts together. What is public here is for
 * users; the packages below are not exported. A request passes through the parts from top to bottom:
 *
 * <pre>
 *   verbs        a script each, and the meaning of its reply: {@code ScriptCommand}, {@code AcquireCommand}; what it
 *                is given: {@code AcquireArguments} and the like; many at once: {@code Renewals}; {@code Catalog}
 *   replicas     {@code ReplicatedAcquires} waits for them, {@code ReplicatedGrants} knows which claims they have
 *   settings     {@code RedisStoreUri}, {@code Settings}
 *   wakes        {@code WakeReceiver} knows who waits, and subscribes the {@code Inbox} of the client by a
 *                {@code PubSubConnection}; for {@code redissonInterop} the channels of {@code RedissonWaiters}
 *   topology     {@code Router} has one connection, or a {@code Cluster} with its {@code SlotMap};
 *                {@code SentinelConnector} asks {@code Sentinels} for the master, {@code SentinelWatch} hears of others
 *   format       {@code Keys}, {@code ClaimEntry}, {@code WakeParser}: pure functions, which must not change
 *   connection   a package: one connection to one server; opening it, verifying it, giving it up
 *   command      a package: one command and its reply, scripts, errors
 * </pre>
 */
@NullMarked
package dev.interlock.redis;

import org.jspecify.annotations.NullMarked;
