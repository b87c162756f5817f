/** Tests of the console, over real HTTP and real stores. */
@NullMarked
package dev.interlock.console;

import org.jspecify.annotations.NullMarked;
