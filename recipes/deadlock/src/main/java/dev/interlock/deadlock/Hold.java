package dev.interlock.deadlock;

import dev.interlock.spi.LockId;

/**
 * What somebody holds who waits.
 *
 * @param id the name
 * @param fence the fence of the claim, which no other claim of the name has
 * @param shared whether it is a share of a read/write lock
 */
record Hold(LockId id, long fence, boolean shared) {}
