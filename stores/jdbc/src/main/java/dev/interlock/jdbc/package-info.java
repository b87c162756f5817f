/**
 * Locks in an SQL database. {@link dev.interlock.jdbc.JdbcStore} is the store, {@link dev.interlock.jdbc.Schema} has
 * the scripts of the tables, and {@link dev.interlock.jdbc.FencedUpdate} lets a table of yours refuse a late writer.
 *
 * <p>What is public here is for users; the packages below are not exported. Each part uses only those below it:
 *
 * <pre>
 *   operations   {@code AcquireOperation}, {@code ReleaseOperation}, {@code RenewOperation}, {@code InspectOperation}
 *   rows         what one statement cannot decide is decided in a transaction: {@code NameTables} locks and reads the
 *                rows of a name, {@code LoadedName} applies the {@linkplain dev.interlock.support.rules rules} to
 *                them, and {@code NameChanges} has the statements that write the difference
 *   session      {@code Worker} runs operations one after the other; {@code Batch} lets several share a transaction
 *                where that locks the whole database; {@code SessionHolder} opens a {@code Session} when there is none;
 *                {@code ContentionRetry} repeats what the database has undone because of others
 *   dialect      a package: the SQL of each database, and the tables
 *   wake         a package: how a waiting client learns that it is its turn: NOTIFY, or sockets beside a file
 *   connection   a package: URIs, drivers, settings of a connection, messages about errors
 * </pre>
 *
 * <p>Begin with {@code AcquireOperation}: it shows which statements an acquire takes, and leads to all the rest. Only
 * the thread that has the <em>turn</em> of the worker (a lock in {@code Worker}) touches the session and what it uses,
 * so none of that is synchronized. {@code Sweeper} removes rows that nobody released.
 */
@NullMarked
package dev.interlock.jdbc;

import org.jspecify.annotations.NullMarked;
