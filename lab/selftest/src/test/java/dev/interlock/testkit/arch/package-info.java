@NullMarked
package dev.interlock.testkit.arch;

import org.jspecify.annotations.NullMarked;
