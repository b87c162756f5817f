/** The graph alone, and the detection on several stores. */
@NullMarked
package dev.interlock.deadlock;

import org.jspecify.annotations.NullMarked;
