package dev.interlock;

import java.util.List;
import java.util.Set;

/**
 * What operators do with the locks of a store, whoever holds them: list, inspect, ask to let go, end by force. Get it
 * from {@link Interlock#administration()}. A name is that of a lock of any kind, without the client's prefix.
 *
 * <p>Methods that ask the store block, each for the client's time-outs, and throw {@link StoreUnavailableException} if
 * the store did not answer in time. Asynchronous code calls them on an executor of its own. Names and statuses must not
 * be null. Thread-safe.
 */
public interface LockAdministration {

    /**
     * {@return the locks that are held now, and the latches that are not at zero, in order of their names} A list as
     * long as the limit may be cut: to know whether there are more, ask for one more than you show.
     *
     * @param prefix the beginning of the names; empty for all
     * @param limit the most locks to return, 1 or more
     * @throws IllegalArgumentException if the limit is less than 1
     * @throws UnsupportedOperationException if the store cannot list
     * @throws StoreUnavailableException if the store did not answer in time
     */
    List<LockStatus> list(String prefix, int limit);

    /**
     * {@return who holds this name and who waits for it: one entry for each kind of lock under which somebody uses the
     * name; empty if nobody does} Asks the store.
     *
     * @param name the name, as in {@link Interlock#lock(String)}
     * @throws IllegalArgumentException if the name breaks a rule; the message says which
     * @throws IllegalStateException if what the store has under this name cannot be read, and nobody uses the name as
     *     another kind; or if the store refuses every request, as a closed one does
     * @throws StoreUnavailableException if the store did not answer in time
     */
    List<LockStatus> inspect(String name);

    /**
     * Ends the claims of all holders of this name, of any kind of lock: what {@link #inspect(String)} shows at this
     * moment, as {@link #forceUnlock(LockStatus)} does. Throws as these two.
     *
     * @param name the name, as in {@link Interlock#lock(String)}
     * @return whether anybody held it
     */
    boolean forceUnlock(String name);

    /**
     * Ends the claims of the holders that this status shows, of any kind of lock. Claims that have come since are not
     * touched. A holder is notified with {@link LossCause#FORCED}: at once if it belongs to this client, otherwise by
     * its next renewal, if that is within a minute. A holder with a fixed lease is notified when it releases, or of the
     * end of its lease. It may still be at work: only its fencing token keeps its writes out.
     *
     * @param seen a result of {@link #inspect(String)} or {@link #list}; one without holders changes nothing
     * @return whether any of the holders still held it
     * @throws StoreUnavailableException if the store did not answer in time
     */
    boolean forceUnlock(LockStatus seen);

    /**
     * Asks those who hold the lock, or either side of the read/write lock, of this name to let go, without waiting for
     * them to do so. The leases that hold it are notified through {@link Lease#onRevocationRequested} and decide for
     * themselves. The call ends nothing and takes no place in the queue. A holder without such a callback does not
     * notice it.
     *
     * @param name the name, as in {@link Interlock#lock(String)}
     * @return whether anybody held it and has been asked
     * @throws IllegalArgumentException if the name breaks a rule; the message says which
     * @throws IllegalStateException if this client is closed, or if what the store has under this name cannot be read
     * @throws UnsupportedOperationException if the store cannot ask holders
     * @throws StoreUnavailableException if the store has not answered for {@code storeTimeout}, or has left one attempt
     *     unanswered and the thread is interrupted
     */
    boolean requestRevocation(String name);

    /**
     * Does the same with those who hold the name as the kind of lock that this status shows, and with nobody who holds
     * it as another kind. Asked is whoever holds it now, also if that is not who the status shows. Throws as
     * {@link #requestRevocation(String)}.
     *
     * @param seen a result of {@link #inspect(String)} or {@link #list}; its name and kind count
     * @return whether anybody held it as this kind and has been asked
     * @throws UnsupportedOperationException if the store cannot ask holders, or if the status is that of a semaphore or
     *     a latch
     */
    boolean requestRevocation(LockStatus seen);

    /**
     * {@return this status with those callers of this client besides that wait in its own line, behind another caller
     * or behind a lease of this client} No claim in the store stands for them, so no other client can show them. The
     * owner of such a waiter is what the owner ids of this client begin with. No I/O.
     *
     * @param seen a result of {@link #inspect(String)} or {@link #list}
     */
    LockStatus withLocalWaiters(LockStatus seen);

    /**
     * {@return the owner ids of those holders that this status shows and whose claims somebody has ended by force
     * since, as far as the store remembers it: for a minute} A claim that was released, deleted or ran out is not among
     * them, and neither is one that still holds.
     *
     * @param seen an earlier result of {@link #inspect(String)} or {@link #list}
     * @throws StoreUnavailableException if the store did not answer in time
     */
    Set<String> endedByForce(LockStatus seen);
}
