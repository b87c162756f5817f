/** Stores around stores: they count requests, or let the inner store look sick. */
@NullMarked
package dev.interlock.testkit.store;

import org.jspecify.annotations.NullMarked;
