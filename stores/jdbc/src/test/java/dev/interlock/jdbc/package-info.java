/** Tests of the SQL store, against real databases. */
@NullMarked
package dev.interlock.jdbc;

import org.jspecify.annotations.NullMarked;
