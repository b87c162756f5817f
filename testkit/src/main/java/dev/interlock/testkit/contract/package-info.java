/**
 * The contract suites that every store inherits: {@link dev.interlock.testkit.contract.LockStoreContract} for the five
 * verbs of a store, without an engine.
 */
@NullMarked
package dev.interlock.testkit.contract;

import org.jspecify.annotations.NullMarked;
