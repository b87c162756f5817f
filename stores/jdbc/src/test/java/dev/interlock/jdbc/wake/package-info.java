/** Tests of the sockets beside an SQLite file. */
@NullMarked
package dev.interlock.jdbc.wake;

import org.jspecify.annotations.NullMarked;
