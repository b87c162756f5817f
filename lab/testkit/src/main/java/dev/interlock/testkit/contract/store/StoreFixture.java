package dev.interlock.testkit.contract.store;

import dev.interlock.testkit.fixture.StoreClient;
import dev.interlock.testkit.fixture.StoreClients;

/** What the parts of the contract know of the store under test. */
public interface StoreFixture {

    /** Clients and names of this test. */
    StoreClients clients();

    /** Whether the store wakes who waits. */
    boolean storeWakes();

    /**
     * Whether a store that wakes wakes only those whose turn it may be. On a slow machine a quorum passes on the wake
     * of a few stores, which do not know of all who wait.
     */
    default boolean wakesNobodyElse() {
        return true;
    }

    /** Whether {@code inspect} lists who waits. */
    boolean storeListsWaiters();

    /**
     * Whether every claim that waits is served in the order of arrival at the store, and not only one that is in order.
     */
    default boolean storeQueues() {
        return false;
    }

    /** Another client, as in another process. */
    default StoreClient client() {
        return clients().open();
    }
}
