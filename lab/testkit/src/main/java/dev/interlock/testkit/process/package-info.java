/** Other processes for tests: JVMs that run a main class of the test class path, and that can be stopped and killed. */
@NullMarked
package dev.interlock.testkit.process;

import org.jspecify.annotations.NullMarked;
