/** Locks for Reactor: {@link dev.interlock.reactor.ReactiveLocks} is all of it. */
@NullMarked
package dev.interlock.reactor;

import org.jspecify.annotations.NullMarked;
