/**
 * Deadlock detection: {@link dev.interlock.deadlock.DeadlockDetector} finds circles of waits between the processes that
 * share a store. docs/deadlocks.md is for users, docs/internals/adr/0056-deadlocks.md has the reasons.
 *
 * <pre>
 *   DeadlockDetector     adds a detector to a client
 *   Detector             the observer of one client
 *   DeadlockException    what the last comer of a circle gets
 *   Ledger, Tracked      who of this client holds and waits
 *   Patrol               looks after long waits, on a thread of its own
 *   Records              long waits, as the clients tell each other of them in the store
 *   CircleSearch         reads who is in the way of a wait, and who is in the way of those
 *   WaitGraph            decides, without I/O, who is stuck, and in which circle
 * </pre>
 *
 * <p>Lock order: the monitor of a {@code Tracked}, then nothing. No monitor is held while a lock, the store or a user
 * is called.
 */
@NullMarked
package dev.interlock.deadlock;

import org.jspecify.annotations.NullMarked;
