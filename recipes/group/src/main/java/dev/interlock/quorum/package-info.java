/**
 * A store that is a majority of several independent stores, as in Redlock: {@link dev.interlock.quorum.QuorumStore}.
 * Begin with {@code QuorumAcquire} and {@code FenceRegister}, whose comments explain the algorithm.
 *
 * <pre>
 *   QuorumStore          implements the store; for each request it calls one of
 *     QuorumAcquire        requests all stores, and releases what no majority has granted
 *       FenceRegister        the largest fence of a name, written to a majority before the lock is held
 *       MajorityTether       the tether of a claim that a majority has granted
 *     QuorumRelease        a release that a majority confirms
 *     QuorumRenewal        a renewal
 *     QuorumInspection     holders and waiters, as a majority reports them
 *     WakeCount            passes on a wake that a majority has sent
 *   QuorumClaim          the state of one claim of this client, and
 *     Owners               its owner in each store
 *   Nodes                the stores, and for each its
 *     PendingReleases      releases that are repeated until the store has answered
 *   Responses            the responses of all stores to one request
 *   QuorumTime           the clock, random delays and time-outs
 * </pre>
 */
@NullMarked
package dev.interlock.quorum;

import org.jspecify.annotations.NullMarked;
