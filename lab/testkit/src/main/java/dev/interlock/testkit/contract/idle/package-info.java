/**
 * What clients ask of their server while nothing happens: {@link dev.interlock.testkit.contract.idle.IdleCostContract},
 * and the {@link dev.interlock.testkit.contract.idle.Prices} by which a store says what its server gets.
 */
@NullMarked
package dev.interlock.testkit.contract.idle;

import org.jspecify.annotations.NullMarked;
