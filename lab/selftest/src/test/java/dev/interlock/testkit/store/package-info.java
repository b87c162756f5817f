/** The stores around stores. */
@NullMarked
package dev.interlock.testkit.store;

import org.jspecify.annotations.NullMarked;
