/**
 * The engine: arbitration, leases, renewal, waiting. Not exported; {@link dev.interlock.engine.Engine} is its door.
 *
 * <p>Lock order: an arbiter's monitor, then nothing. Stores, callbacks, listeners and completions are called with no
 * lock held.
 */
@NullMarked
package dev.interlock.engine;

import org.jspecify.annotations.NullMarked;
