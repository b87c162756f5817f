/** Runs a target with many inputs that are made from real ones, the same in every run. */
@NullMarked
package dev.interlock.testkit.fuzz;

import org.jspecify.annotations.NullMarked;
