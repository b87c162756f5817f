/** The contract suites on the in-memory store. */
@NullMarked
package dev.interlock.testkit.memory;

import org.jspecify.annotations.NullMarked;
