/**
 * Keys, entries and messages as they stand in Redis: the format in {@code docs/internals/redis-format.md}. All of it is
 * pure functions, and it must not change.
 *
 * <p>Begin with {@link dev.interlock.redis.format.Keys}: the names of the keys and channels of a lock, with hash tags
 * from {@code SlotTags}. A claim's entry is a {@code ClaimEntry}, which contains a {@code PartyCodec} party and a
 * {@code ModeCodec} mode. {@code StatusParser} reads the replies of the scripts that inspect, and {@code WakeParser}
 * the messages that wake.
 */
@NullMarked
package dev.interlock.redis.format;

import org.jspecify.annotations.NullMarked;
