/** Stores around stores: they count requests, or let the inner store look sick. And a client of a bare store. */
@NullMarked
package dev.interlock.testkit.store;

import org.jspecify.annotations.NullMarked;
