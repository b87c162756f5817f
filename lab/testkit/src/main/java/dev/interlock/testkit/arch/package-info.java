/** Rules about the code of a module, to be inherited by one test of each. */
@NullMarked
package dev.interlock.testkit.arch;

import org.jspecify.annotations.NullMarked;
