/**
 * Locks in an SQL database, over a {@link javax.sql.DataSource}. {@link dev.interlock.jdbc.JdbcStore} is the store; what one database does differently
 * from another stands in its dialect. Known so far: SQLite, for the processes of one machine.
 */
@NullMarked
package dev.interlock.jdbc;

import org.jspecify.annotations.NullMarked;
