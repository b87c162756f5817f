/** Tests of the bench itself. */
@NullMarked
package dev.interlock.bench;

import org.jspecify.annotations.NullMarked;
