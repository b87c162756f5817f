/**
 * The rules of a name, for stores that decide in Java: who gets it, who stands before whom, how a latch counts, whom to
 * wake, and when a refused claim asks again.
 *
 * <p>Nothing here has a thread, a clock or I/O. {@link NameState} is what a store knows of one name at one moment; it
 * is immutable. {@link NameRules} has a method for each event: it takes a state, the event and the time, and returns
 * the new state with the answer. How the state is kept, and how two clients that change it at once are kept apart, is
 * up to the store:
 *
 * <pre>
 *   store in memory   a map entry, replaced under a monitor
 *   MongoDB           a document, written if its version is the one that was read
 *   SQL               rows, read and written in one transaction; the difference between two states is what to write
 * </pre>
 *
 * A verb has three steps:
 *
 * <pre>
 *   NameState known = rules.expire(read(id), now);                          // forget what is over
 *   Decision&lt;Attempt&gt; decision = rules.acquire(known, claim, channel, now);
 *   write(decision.state());                                                // unless it is the same object as known
 * </pre>
 *
 * <p>A method returns the state that it was given, the same object, if it changes nothing, and keeps the
 * {@link Holder}, {@link Waiter} and {@link Mark} objects that it does not change. So a store that writes single rows
 * compares the entries by identity.
 *
 * <p>All times of a state are numbers in one unit of the store's clock, which the store chooses, above 0 for every
 * {@code until}. The clock must not wrap around. A clock that was set back does no harm: an entry that would last
 * longer than it was made for is shortened, where the state says for how long that was.
 */
@NullMarked
package dev.interlock.support.rules;

import org.jspecify.annotations.NullMarked;
