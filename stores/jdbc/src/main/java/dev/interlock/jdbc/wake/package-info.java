/**
 * How clients wake each other. A {@link dev.interlock.jdbc.wake.WakeListener} receives wakes for a whole client:
 * {@code NotificationListener} on a connection to PostgreSQL, {@code SocketListener} on a socket beside an SQLite file.
 * {@code WakeMessage} is the text of a wake, the same for both. A wake is a hint: a lost one costs a poll, and no lock
 * depends on it.
 */
@NullMarked
package dev.interlock.jdbc.wake;

import org.jspecify.annotations.NullMarked;
