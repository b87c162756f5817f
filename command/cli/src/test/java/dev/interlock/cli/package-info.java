/** Tests of the command: mostly of real processes, as its users start them. */
@NullMarked
package dev.interlock.cli;

import org.jspecify.annotations.NullMarked;
