/** Interlock and other clients on the same names. */
@NullMarked
package dev.interlock.interop;

import org.jspecify.annotations.NullMarked;
