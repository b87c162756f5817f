/**
 * The other half of fencing tokens: guards, which a protected resource uses to refuse late writers. A guard remembers
 * the largest token that it has seen, and refuses a write with a smaller one: its writer was paused past its lease, and
 * another holder has been at work since.
 *
 * <p>{@link dev.interlock.fence.FenceGate} guards resources of this process, {@link dev.interlock.fence.HttpFence}
 * those behind HTTP. For data in Redis and in SQL databases the guard has to decide where the data are: see the modules
 * of these stores.
 */
@NullMarked
package dev.interlock.fence;

import org.jspecify.annotations.NullMarked;
