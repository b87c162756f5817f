/** Negative controls: stores with one bug each, and the tests of the contract that notice. */
@NullMarked
package dev.interlock.testkit.contract;

import org.jspecify.annotations.NullMarked;
