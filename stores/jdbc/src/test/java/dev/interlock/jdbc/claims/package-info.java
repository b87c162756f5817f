/** Tests of the operations. */
@NullMarked
package dev.interlock.jdbc.claims;

import org.jspecify.annotations.NullMarked;
