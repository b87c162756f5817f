/** The history checker, and histories that it must refuse. */
@NullMarked
package dev.interlock.testkit.history;

import org.jspecify.annotations.NullMarked;
