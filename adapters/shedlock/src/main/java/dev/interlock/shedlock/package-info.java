/** Locks for ShedLock: {@link dev.interlock.shedlock.InterlockLockProvider} is all of it. */
@NullMarked
package dev.interlock.shedlock;

import org.jspecify.annotations.NullMarked;
