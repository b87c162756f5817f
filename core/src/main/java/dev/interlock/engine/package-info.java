/**
 * The engine: queues, leases, renewal, hand-over, loss. Not exported; {@link dev.interlock.engine.Engine} is its entry
 * point. docs/internals/design.md explains the rules.
 *
 * <p>Begin with {@link dev.interlock.engine.Arbitration}, the state machine of one name, then read
 * {@link dev.interlock.engine.Arbiter}, its monitor. Each class calls those below it: ArchitectureTest finds no cycle.
 *
 * <pre>
 *   Engine, EngineConfig       entry point and settings
 *   EngineLock, EngineReadWriteLock, EngineSemaphore, EngineLatch; LockSide, ThreadHolds
 *                              the API: holds of threads, handles
 *   Acquisition                acquires a lease for a caller: BlockedCaller or AsyncCaller, with a CallFuture
 *   Administration             inspect, list, revocation, force
 *   EngineCore                 builds and closes a client; what the supervisor sweeps
 *   Arbiters                   the arbiter of each name
 *   Arbiter                    the monitor of one name: decides under it, and acts after it
 *   Arbitration                who gets the lock: events in, DeferredActions out
 *     KindPolicy                      what is of one kind: LockPolicy, ReadWritePolicy, SemaphorePolicy, LatchPolicy
 *     WaiterQueue, Waiter, Request    who waits
 *     Outcome                         what a caller gets
 *     RetrySchedule                   when to send the next acquire
 *     LeasedClaim, HandOverTurn       a claim, its leases, and its turn
 *     Retention, RetentionState       whether it is kept without a lease
 *     ClaimLife, ClaimState           the states of a claim
 *     RenewalPlan, Conversion         when its lease is set anew; the step to shared
 *   EngineLease, Deadline             what a caller holds, and until when
 *   EngineContext              what all of them share:
 *     StoreClient, Timeouts           sends verbs, waits for replies
 *     PendingReleases, PendingRelease, ReleaseState   releases that the store has not confirmed
 *     Renewals                        renews in batches (of EngineCore)
 *     Supervisor                      the one thread that watches the time
 *     Callbacks, CallbackThreads      code of the user, on the callback executor
 *     Observers, Watch                the same, called directly
 *     Works                           code of the user that keeps its leases when the client closes
 *     ClaimFactory, EngineClock        owner ids, this process; the time
 * </pre>
 *
 * <p>Lock order: an arbiter's monitor, then nothing but the supervisor's when it starts its thread; a pending release's
 * monitor, then the same. Stores, callbacks, observers and completions are called with no lock held. A claim is guarded
 * by its arbiter's monitor and, after a release that somebody waits for, by that of its pending release.
 */
@NullMarked
package dev.interlock.engine;

import org.jspecify.annotations.NullMarked;
