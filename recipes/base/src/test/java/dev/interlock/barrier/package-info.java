/** Tests of the parts of barriers that need no store. */
@NullMarked
package dev.interlock.barrier;

import org.jspecify.annotations.NullMarked;
