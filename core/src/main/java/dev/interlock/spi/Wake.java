package dev.interlock.spi;

import org.jspecify.annotations.Nullable;

/**
 * A hint of a store that a name may be free for a claim that waits.
 *
 * @param id the name
 * @param owner the waiting claim; null if the store does not know which one, and means all of this client
 */
public record Wake(LockId id, @Nullable OwnerId owner) {}
