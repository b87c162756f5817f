/** Tests of the test kit itself. */
@NullMarked
package dev.interlock.testkit;

import org.jspecify.annotations.NullMarked;
