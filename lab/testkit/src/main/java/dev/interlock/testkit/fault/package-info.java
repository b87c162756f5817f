/**
 * Ways to make a store sick ({@link dev.interlock.testkit.fault.FaultyStore}): inside the process, or on its network.
 */
@NullMarked
package dev.interlock.testkit.fault;

import org.jspecify.annotations.NullMarked;
