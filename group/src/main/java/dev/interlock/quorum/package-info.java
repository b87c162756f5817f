/**
 * A store that is a majority of several independent stores: what is called Redlock elsewhere.
 * {@link dev.interlock.quorum.QuorumStore} is the door.
 *
 * <pre>
 *   QuorumStore    the verbs
 *   Election       an acquire: asks all, counts, takes back what is no majority
 *   FenceRegister  the largest fence of a name, written to a majority before anybody holds
 *   Withdrawal     a release, confirmed by a majority
 *   Departures     the releases that are owed to one store, where the outcome is unknown
 *   Census         a renewal
 *   Survey         who holds and who waits, by the majority
 *   WakeCount      wakes, when a majority has sent them
 *   Ballot, Owners a claim of this client, and its owner in each store
 *   Nodes, Poll    the stores, and the answers of all of them to one question
 *   Later          the threads for what is done a while later
 * </pre>
 */
@NullMarked
package dev.interlock.quorum;

import org.jspecify.annotations.NullMarked;
