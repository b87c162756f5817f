@NullMarked
package dev.interlock.evidence;

import org.jspecify.annotations.NullMarked;
