/**
 * Barriers between processes. {@link dev.interlock.barrier.DistributedBarrier} and
 * {@link dev.interlock.barrier.DistributedDoubleBarrier} are the ways in; docs/barriers.md explains them to users.
 *
 * <p>A generation is made of claims that every store has:
 *
 * <pre>
 *   semaphore  KIND:NAME                 two permits for each party that has arrived, by a lease
 *   latch      KIND-end:GENERATION:NAME  how the generation has ended: set once, by whoever is first
 *   latch      KIND-in:GENERATION:NAME   how many parties have yet to arrive, and one more
 *   latch      KIND-gate:NUMBER:NAME     wakes those who wait; it proves nothing
 *   lock       KIND-opening:NAME         keeps parties from opening several generations at once
 * </pre>
 *
 * <p>The party that opens a generation gives it its number, the token of its own permit. Each other party names that
 * number in its claim, and where parties are: who they are is what {@link dev.interlock.barrier.Roster} reads.
 *
 * <pre>
 *   a generation:   OPEN --- the last party has arrived ------------------------> PASSED
 *                    '------ a party gives up, or its lease ends, or a reset ---> BROKEN
 *                    '------ another generation was open before it -------------> VOID, its parties arrive again
 * </pre>
 *
 * <p>Only the first setting of the end counts ({@link dev.interlock.barrier.Outcome}), and every party goes by it: so a
 * generation has passed for all of its parties or for none.
 */
@NullMarked
package dev.interlock.barrier;

import org.jspecify.annotations.NullMarked;
