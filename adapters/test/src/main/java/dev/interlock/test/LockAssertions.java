package dev.interlock.test;

/**
 * Assertions about the locks of a test, in AssertJ's style; AssertJ has to be on the class path.
 *
 * <pre>{@code
 * assertThatLock("orders").isFree().wasAcquired(2).wasNeverEnteredTwiceAtOnce();
 * assertThatLocks("accounts:1", "accounts:2").wereAcquiredInThisOrder();
 * }</pre>
 */
public final class LockAssertions {

    private LockAssertions() {}

    /**
     * {@return assertions about a lock of the test on this thread}
     *
     * @param name the name, as the code under test knows it
     * @throws IllegalStateException if this is neither the thread of a test with {@link InterlockTest} nor one that it
     *     has started
     */
    public static LockAssert assertThatLock(String name) {
        return assertThatLock(Fixture.current().locks(), name);
    }

    /**
     * {@return assertions about a lock of the test that has these locks, on any thread}
     *
     * @param locks the locks
     * @param name the name, as the code under test knows it
     */
    public static LockAssert assertThatLock(Locks locks, String name) {
        return new LockAssert(locks, name);
    }

    /**
     * {@return assertions about several locks of the test on this thread} Throws as {@link #assertThatLock(String)}.
     *
     * @param names the names
     */
    public static LocksAssert assertThatLocks(String... names) {
        return assertThatLocks(Fixture.current().locks(), names);
    }

    /**
     * {@return assertions about several locks of the test that has these locks, on any thread}
     *
     * @param locks the locks
     * @param names the names
     */
    public static LocksAssert assertThatLocks(Locks locks, String... names) {
        return new LocksAssert(locks, names);
    }
}
