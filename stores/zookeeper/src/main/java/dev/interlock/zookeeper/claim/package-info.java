/**
 * The claims of a client: the state machines of the recipes. Internal to the store.
 *
 * <p>{@link dev.interlock.zookeeper.claim.LocalClaims} has all claims of the client, and receives the verbs of the
 * store. {@code LocalClaim} is the life of one of them, with its states and moves: begin there. Its subclasses are the
 * recipes: {@code LockClaim} (locks and read/write locks), {@code SemaphoreClaim} and {@code LatchClaim}. Requests that
 * hold nothing are {@code OneShotRequest}s. {@code NodeRemoval} deletes nodes that have to be searched for,
 * {@code Revocation} passes requests to release on, and {@code Catalog} reads who holds and who waits.
 *
 * <p>Curator's barriers are no claims: {@link dev.interlock.zookeeper.claim.Entrant} is a party in a double barrier,
 * and {@link dev.interlock.zookeeper.claim.BarrierNode} a barrier that somebody sets. They share the session and the
 * watches with the claims.
 */
@NullMarked
package dev.interlock.zookeeper.claim;

import org.jspecify.annotations.NullMarked;
