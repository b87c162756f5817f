/**
 * The walk of cancellation: no way to give up an asynchronous call, at no moment, leaves anything behind. Begin with
 * {@link dev.interlock.testkit.contract.cancel.CancellationWalk}.
 */
@NullMarked
package dev.interlock.testkit.contract.cancel;

import org.jspecify.annotations.NullMarked;
