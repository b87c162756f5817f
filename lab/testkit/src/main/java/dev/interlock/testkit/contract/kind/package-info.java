/**
 * The contract of the further kinds of lock: {@link dev.interlock.testkit.contract.kind.KindsContract}, whose parts are
 * for the fair lock, the semaphore, the latch, the election and the barriers.
 */
@NullMarked
package dev.interlock.testkit.contract.kind;

import org.jspecify.annotations.NullMarked;
