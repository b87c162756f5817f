/** Tests of the SQL store, against the real SQLite. */
@NullMarked
package dev.interlock.jdbc;

import org.jspecify.annotations.NullMarked;
