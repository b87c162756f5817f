package dev.interlock.group;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import java.util.Collection;
import java.util.List;

/**
 * Several locks as one: held when all of them are held, else none.
 *
 * <pre>{@code
 * DistributedLock both = MultiLock.of(interlock.lock("account:17"), interlock.lock("account:42"));
 * try (Lease lease = both.acquire()) {
 *   accounts.debit(17, amount, lease.token("account:17"));
 *   accounts.credit(42, amount, lease.token("account:42"));
 * }
 * }</pre>
 *
 * <p>The members may be locks of any clients and stores. They are asked for all at once; if some are not free, those
 * are waited for in the order of their names, each while only locks of smaller names are held. So callers that name the
 * same locks in opposite orders neither deadlock nor keep each other busy. One deadline is for all of it, and whoever
 * gives up leaves nothing held.
 *
 * <p>The result keeps the contract of {@link DistributedLock}, where that speaks of
 *
 * <ul>
 *   <li><em>the lock's own term</em>: each member's own. A fixed term that is given counts from about the moment when
 *       the last member was acquired
 *   <li><em>held by another</em>: at least one member is. {@code isLocked}, {@code inspect} and {@code forceUnlock}
 *       speak of all members together
 *   <li><em>valid</em>: all members are. The first loss of a member is the loss of the whole, told once; the other
 *       members stay held until the release, for work on them may still be going on
 *   <li><em>the token</em>: the largest of the members', which increases for the same set of names only. Guard what
 *       belongs to one member with {@link Lease#token(String)}
 *   <li><em>re-entrant</em>: per object that {@link #of} returned. A thread that holds one of the members by itself,
 *       and locks the whole, would wait for itself: that is an {@link IllegalStateException}, which nothing notices the
 *       other way round
 *   <li><em>store silent</em>: as that of a member; when the wait is over and the answer of a member is still missing,
 *       {@link StoreUnavailableException}
 *   <li><em>the callback executor</em>: that of any member's client. Blocking acquisitions wait for completions on it,
 *       too: do not make them on a bounded executor that you have given to the client. A release may be made there
 * </ul>
 */
public final class MultiLock {

    private MultiLock() {}

    /** All of these locks as one. Throws as {@link #of(Collection)}. */
    public static DistributedLock of(DistributedLock... members) {
        return of(List.of(members));
    }

    /**
     * All of these locks as one; the order does not matter. Members that are such locks themselves are replaced by
     * their members.
     *
     * @param members one or more, of different names: two of the same name, even in different stores, would have no
     *     order to be locked in
     * @throws IllegalArgumentException if there is none, or a name comes twice
     */
    public static DistributedLock of(Collection<? extends DistributedLock> members) {
        return GroupLock.of(members);
    }
}
