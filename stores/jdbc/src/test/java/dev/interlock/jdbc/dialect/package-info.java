/** Tests of the SQL of each database. */
@NullMarked
package dev.interlock.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
