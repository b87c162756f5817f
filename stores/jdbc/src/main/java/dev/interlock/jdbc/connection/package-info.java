/**
 * Where connections come from. {@code ServerUri} and {@code SqliteUri} parse a store URI; {@code ServerConnections} and
 * {@code SqliteFile} open connections; with a {@code DataSource} of yours, the data source is the
 * {@link dev.interlock.jdbc.connection.ConnectionSource}. {@code ConnectionSettings} restores the settings of a
 * connection before it goes back to a pool. {@code ServerErrors} and {@code SqliteErrors} turn an error of a driver
 * into a message that says what to do. This package uses no other package of the module.
 */
@NullMarked
package dev.interlock.jdbc.connection;

import org.jspecify.annotations.NullMarked;
