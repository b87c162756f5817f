/**
 * The contract of a store, verb by verb, without an engine.
 * {@link dev.interlock.testkit.contract.store.LockStoreContract} is for every store,
 * {@link dev.interlock.testkit.contract.store.ReadWriteStoreContract} for one with read/write locks, and
 * {@link dev.interlock.testkit.contract.store.ClaimModelContract} compares random walks with a model. The parts are
 * interfaces over {@link dev.interlock.testkit.contract.store.StoreFixture}.
 */
@NullMarked
package dev.interlock.testkit.contract.store;

import org.jspecify.annotations.NullMarked;
