package dev.interlock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A read/write lock between processes: any number of readers, or one writer. Both sides are a {@link DistributedLock}
 * of the same name, in its two forms: owned by a thread and re-entrant, like
 * {@link java.util.concurrent.locks.ReentrantReadWriteLock} in its fair mode, or a {@link Lease} that belongs to no
 * thread.
 *
 * <p>What a thread gets by {@code lock} of one side ({@code lockInterruptibly} and {@code tryLock} alike, where nothing
 * else is said), by what it holds already:
 *
 * <table>
 * <caption>Truth table</caption>
 * <tr><th>it holds</th><th>{@code readLock().lock()}</th><th>{@code writeLock().lock()}</th></tr>
 * <tr><td>nothing</td><td>held; waits while a writer holds, or waits and came before</td><td>held; waits while anybody holds, or waits and came before</td></tr>
 * <tr><td>the read lock</td><td>count + 1, at no cost, even while writers wait</td><td>{@code lock} and {@code lockInterruptibly}: IllegalStateException at once; {@code tryLock} in all its
 * forms: false at once. It would wait for itself for ever</td></tr>
 * <tr><td>the write lock</td><td>held besides, at no cost, even while others wait</td><td>count + 1, at no cost</td></tr>
 * <tr><td>both</td><td>count + 1</td><td>count + 1</td></tr>
 * <tr><td>a lease that was lost</td><td>LockLostException</td><td>LockLostException</td></tr>
 * </table>
 *
 * <p>The two sides are unlocked in any order. To unlock the write lock and keep the read lock is to <em>downgrade</em>:
 * readers that wait are let in, and no writer can come between. A handle ({@code acquire} and its family) knows nothing
 * of the thread's holds: who holds one side and acquires a handle of the other waits for itself.
 *
 * <p><b>Order.</b> Nobody overtakes anybody who waits, unless both can hold at once: writers are not starved by
 * readers, nor readers by writers. Within a process this holds for the order of arrival; between processes for the
 * order in which their claims came to the store. The callers of a process share a claim for a bounded turn
 * ({@link LockOptions#handOver}), readers all at once and without asking the store. {@code tryLock()} does not overtake
 * either: it fails while somebody waits.
 *
 * <p><b>Leases.</b> Every lease keeps its own term: a fixed read lease ends at its time, whatever the terms of others
 * that share the claim, and neither shortens nor lengthens theirs. If the claim is lost, all leases on it are.
 *
 * <p><b>Tokens.</b> The token of a write lease is larger than that of every earlier lease of the name, of either side.
 * Those of read leases are unique, but where readers of several processes hold together they need not be in the order
 * of time. A read lease that a thread takes while it holds the write lock has the token of the write lease: it is the
 * same owner.
 *
 * <p>{@code isLocked()}, {@code inspect()} and {@code forceUnlock()} of both sides are about the whole: whether anybody
 * holds it, who, and to end all of it. A process whose readers have taken over from a writer may show as exclusive
 * there, for the rest of its turn.
 *
 * <p>Of the options, {@link LockOptions#nonReentrant} counts for each side by itself, and {@link LockOptions#fair} has
 * no effect. Thread-safe; cheap to create and to keep, nothing to close. A store that has no read/write locks answers
 * with {@link UnsupportedOperationException}.
 */
public interface DistributedReadWriteLock extends ReadWriteLock {

    /** The lock's name. */
    String name();

    /** The side that any number hold at once. */
    @Override
    DistributedLock readLock();

    /** The side that one holds alone. */
    @Override
    DistributedLock writeLock();

    /**
     * Who holds and who waits, by the store. The callers of one process are one holder, and one that waits.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    LockStatus inspect();
}
