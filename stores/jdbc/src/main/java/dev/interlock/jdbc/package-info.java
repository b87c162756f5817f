/**
 * Locks in an SQL database. {@link dev.interlock.jdbc.JdbcStore} is the store, {@link dev.interlock.jdbc.Schema} has
 * the scripts of the tables, and {@link dev.interlock.jdbc.FencedUpdate} lets a table of yours refuse a late writer.
 *
 * <p>The other packages are not exported. Each uses only those below it:
 *
 * <pre>
 *   jdbc         JdbcStore: hands each operation to the worker
 *     claims     the operations acquire, release, renew and inspect; the rows of one name
 *       session  the thread and the connection that all operations share; statements, transactions, retries
 *         dialect       the SQL of each database, and the tables
 *           wake        how a waiting client learns that it is its turn: NOTIFY, or sockets beside a file
 *             connection  URIs, drivers, settings of a connection, messages about errors
 * </pre>
 *
 * Begin with {@code claims.AcquireOperation}: it shows which statements an acquire takes, and leads to all the rest.
 */
@NullMarked
package dev.interlock.jdbc;

import org.jspecify.annotations.NullMarked;
