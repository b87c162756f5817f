/**
 * The one connection of a store, and who uses it when. {@link dev.interlock.jdbc.session.Worker} runs operations one
 * after the other; {@code Batch} lets several share a transaction where that locks the whole database;
 * {@code SessionHolder} opens a {@link dev.interlock.jdbc.session.Session} when there is none and closes it when it is
 * of no more use; the session runs statements and transactions, and {@code ContentionRetry} repeats what the database
 * has undone because of others. {@code Sweeper} removes rows that nobody released. Begin with {@code Worker}.
 *
 * <p>Only the thread that has the <em>turn</em> of the worker (a lock in {@code Worker}) touches anything else in this
 * package; so nothing else here is synchronized.
 */
@NullMarked
package dev.interlock.jdbc.session;

import org.jspecify.annotations.NullMarked;
