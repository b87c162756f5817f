/**
 * Locks in an SQL database, over a {@link javax.sql.DataSource}. {@link dev.interlock.jdbc.JdbcStore} is the store;
 * what one database does differently from another stands in its dialect; {@link dev.interlock.jdbc.Schema} has the
 * tables.
 */
@NullMarked
package dev.interlock.jdbc;

import org.jspecify.annotations.NullMarked;
