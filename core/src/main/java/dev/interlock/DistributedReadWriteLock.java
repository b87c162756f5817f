package dev.interlock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A read/write lock between processes: any number of readers, or one writer. Both sides are a {@link DistributedLock}
 * of the same name, in its two forms: owned by a thread and re-entrant, like
 * {@link java.util.concurrent.locks.ReentrantReadWriteLock} in its fair mode, or a {@link Lease} that belongs to no
 * thread.
 *
 * <p>The table shows the effect of {@code lock} on each side, by what the thread holds already.
 * {@code lockInterruptibly} and {@code tryLock} have the same effect, unless the table says otherwise.
 *
 * <table>
 * <caption>Truth table</caption>
 * <tr>
 *   <th>the thread holds</th>
 *   <th>{@code readLock().lock()}</th>
 *   <th>{@code writeLock().lock()}</th>
 * </tr>
 * <tr>
 *   <td>nothing</td>
 *   <td>held; waits while a writer holds, or waits and came before</td>
 *   <td>held; waits while anybody holds, or waits and came before</td>
 * </tr>
 * <tr>
 *   <td>the read lock</td>
 *   <td>count + 1, at no cost, even while writers wait</td>
 *   <td>{@code lock} and {@code lockInterruptibly}: IllegalStateException at once; {@code tryLock} in all its forms:
 *       false at once. The thread would wait for itself for ever</td>
 * </tr>
 * <tr>
 *   <td>the write lock</td>
 *   <td>held in addition, at no cost, even while others wait</td>
 *   <td>count + 1, at no cost</td>
 * </tr>
 * <tr>
 *   <td>both</td>
 *   <td>count + 1</td>
 *   <td>count + 1</td>
 * </tr>
 * <tr>
 *   <td>a lease that was lost</td>
 *   <td>LockLostException</td>
 *   <td>LockLostException</td>
 * </tr>
 * </table>
 *
 * <p>You may unlock the two sides in any order. To unlock the write lock and keep the read lock is to
 * <em>downgrade</em>: waiting readers are let in, and no writer can come between. A handle ({@code acquire} and its
 * family) does not know what the thread holds: a caller that holds one side and acquires a handle of the other waits
 * for itself.
 *
 * <p><b>Order.</b> No caller overtakes one that waits, unless both can hold at once. So readers do not starve writers,
 * nor writers readers. Within a process the order is that of arrival; between processes it is the order in which the
 * claims came to the store. The callers of a process share a claim for a bounded turn
 * ({@link LockOptions.Builder#handOver}); readers share it all at once, without asking the store. {@code tryLock()}
 * does not overtake either: it fails while somebody waits.
 *
 * <p><b>Leases.</b> Every lease keeps its own term. A fixed read lease ends at its time, whatever the terms of other
 * leases on the same claim; it neither shortens nor lengthens those. If the claim is lost, all leases on it are lost.
 *
 * <p><b>Tokens.</b> The token of a write lease is larger than that of every earlier lease of the name, of either side.
 * Tokens of read leases are unique, but where readers of several processes hold together they need not be in the order
 * of time. A read lease that a thread takes while it holds the write lock has the token of the write lease: it is the
 * same owner.
 *
 * <p>{@code isLocked()} and {@code inspect()} of both sides are about the whole lock: whether anybody holds it, and
 * who. A process whose readers have taken over from a writer may appear as exclusive there, for the rest of its turn.
 *
 * <p>The option {@link LockOptions.Builder#reentrant} applies to each side by itself. Thread-safe. A lock is cheap to
 * create and to keep, and needs no closing. If the store has no read/write locks, the methods throw
 * {@link UnsupportedOperationException}.
 */
public interface DistributedReadWriteLock extends ReadWriteLock {

    /** {@return the lock's name} */
    String name();

    /** {@return the side that any number can hold at once} */
    @Override
    DistributedLock readLock();

    /** {@return the side that one caller holds alone} */
    @Override
    DistributedLock writeLock();

    /**
     * {@return who holds the lock and who waits} The callers of one process appear as one holder and one waiter. Asks
     * the store.
     *
     * @throws StoreUnavailableException if the store did not answer in time
     */
    LockStatus inspect();
}
