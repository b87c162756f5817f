/** Negative controls: stores with a bug each, which the contracts notice. */
@NullMarked
package dev.interlock.testkit.control;

import org.jspecify.annotations.NullMarked;
