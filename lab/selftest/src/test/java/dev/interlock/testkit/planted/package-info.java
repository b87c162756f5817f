/** Mistakes of a refactoring that the tests must see: {@code lab/selftest/planted.txt}. */
@NullMarked
package dev.interlock.testkit.planted;

import org.jspecify.annotations.NullMarked;
