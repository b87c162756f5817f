/**
 * A store that is a majority of several independent stores: what is called Redlock elsewhere. {@link dev.interlock.quorum.QuorumStore} is the door.
 *
 * <pre>
 *   QuorumStore    the verbs
 *   Ballots        the claims of this client that may stand in the stores, and under which owner
 *   Election       an acquire: asks all, counts, takes back what is no majority
 *   FenceRegister  the largest fence of a name, written to a majority before anybody holds
 *   Departure      the release of a claim in all stores, again and again where the outcome is unknown
 *   Survey         who holds and who waits, by the majority
 *   Nodes, Poll    the stores, and the answers of all of them to one question
 * </pre>
 */
@NullMarked
package dev.interlock.quorum;

import org.jspecify.annotations.NullMarked;
