package dev.interlock.testkit.contract.lock;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fixture.LockClients;
import org.junit.jupiter.api.AfterEach;

/**
 * How a contract of locks learns of the store under test: a store's test says what differs from a store like the one in
 * memory.
 */
public abstract class LockSuite implements LockFixture {

    // Only tests open stores, and they run after all constructors.
    @SuppressWarnings("this-escape")
    private final LockClients clients = new LockClients(this::openStore, this::listsWaiters);

    /** Opens another client of the same shared data, as another process would. The suite closes it. */
    protected abstract LockStore openStore();

    /** Whether the store wakes who waits. */
    protected boolean wakes() {
        return true;
    }

    /** Whether the store tells a client that listens that its lease was ended by force. */
    protected boolean tellsForce() {
        return wakes();
    }

    /** Whether {@code inspect} lists who waits. */
    protected boolean listsWaiters() {
        return true;
    }

    /** How much the tests of mass do in short effort: names or operations, some seconds of them. */
    protected abstract int scale();

    /** Opens another client, whose connection can be made sick. By default its faults are inside this process. */
    protected FaultyStore openFaultyStore() {
        return FaultyStore.around(openStore());
    }

    /**
     * The same, with faults that may touch other clients besides, such as those of the server that all of them use. By
     * default the same faults.
     */
    protected FaultyStore openSickStore() {
        return openFaultyStore();
    }

    @Override
    public final LockClients clients() {
        return clients;
    }

    @Override
    public final boolean storeWakes() {
        return wakes();
    }

    @Override
    public final boolean storeTellsForce() {
        return tellsForce();
    }

    @Override
    public final boolean storeListsWaiters() {
        return listsWaiters();
    }

    @Override
    public final int storeScale() {
        return scale();
    }

    @Override
    public final FaultyStore faultyStore() {
        return openFaultyStore();
    }

    @Override
    public final FaultyStore sickStore() {
        return openSickStore();
    }

    @AfterEach
    public final void closeClients() {
        clients.closeAll();
    }
}
