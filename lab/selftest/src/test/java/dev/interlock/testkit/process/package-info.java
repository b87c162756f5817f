/** Child processes: their lines, signals and ends. */
@NullMarked
package dev.interlock.testkit.process;

import org.jspecify.annotations.NullMarked;
