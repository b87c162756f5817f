/**
 * Leader election: a candidate is a thread that acquires the lock of its election again and again. Internal;
 * {@link dev.interlock.Interlock#election} is the way in, and docs/internals/design.md explains the rules.
 *
 * <pre>
 *   ElectionService      found as a service
 *   ClientElections      the candidacies and observations of one client
 *   LockElection         an election, as users see it
 *   LockCandidacy, CandidacyState   one candidacy: joins, leads, ends, stands again
 *   LeaderRole           what is done while leading: callbacks, or a task
 *   ElectionObservation  follows an election without standing in it
 * </pre>
 *
 * <p>Lock order: the monitor of a candidacy, or of the client's elections, then nothing. Code of users, locks and
 * threads are called and waited for with no monitor held.
 */
@NullMarked
package dev.interlock.election;

import org.jspecify.annotations.NullMarked;
