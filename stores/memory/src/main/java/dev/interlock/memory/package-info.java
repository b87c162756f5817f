/** The in-process store: the reference that every other store is compared with. */
@NullMarked
package dev.interlock.memory;

import org.jspecify.annotations.NullMarked;
