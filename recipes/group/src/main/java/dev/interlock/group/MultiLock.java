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
 * <p>The members may be locks of any clients and stores. A caller that waits for a member waits in the order of their
 * names, and holds only members with smaller names. So callers that name the same locks in opposite orders neither
 * deadlock nor keep each other busy. One deadline covers the whole operation, and a caller that gives up holds nothing
 * afterwards.
 *
 * <p>The forms that wait without limit, or for 5 s or longer, request all members at once: free members cost one round
 * trip. The forms that try once, and those with a shorter wait, request one member after the other: free members cost a
 * round trip each. In return, one of those that try at the same time gets all of its members if nobody else holds them,
 * also if their sets only overlap. Two that request at once might each get a part, and both give it back.
 *
 * <p>The result keeps the contract of {@link DistributedLock}, with these meanings:
 *
 * <ul>
 *   <li><em>the lock's own term</em>: each member has its own. A fixed term that you pass begins at about the moment
 *       when the last member is acquired
 *   <li><em>held by another</em>: at least one member is. {@code isLocked} and {@code inspect} cover all members
 *   <li><em>valid</em>: all members are. The first loss of a member is the loss of the whole, and is reported once. The
 *       other members stay held until the release, because work on them may still be in progress
 *   <li><em>the token</em>: the largest token of the members, which increases only for the same set of names. Guard the
 *       data of one member with {@link Lease#token(String)}
 *   <li><em>held by this thread</em>: the thread holds all members, in whatever way. So the holds belong to the thread
 *       and the names, not to the object: the result of another call of {@link #of} with the same locks knows them. A
 *       thread that holds the whole may lock a member once more, and unlocks it as often. One that holds some of the
 *       members only, and locks the whole, would wait for itself: it gets an {@link IllegalStateException}
 *   <li><em>store silent</em>: if the store of a member does not answer, and no other member is seen to be held by
 *       another, {@link StoreUnavailableException}. A wait bounds the time in the members' lines: the first answer of
 *       each member is waited for as long as its client waits for one
 *   <li><em>the callback executor</em>: that of any member's client. Blocking acquires wait for completions on it, so
 *       do not call them on a bounded executor that you have given to the client. You may release there
 * </ul>
 */
public final class MultiLock {

    private MultiLock() {}

    /** Combines these locks. Throws as {@link #of(Collection)}. */
    public static DistributedLock of(DistributedLock... members) {
        return of(List.of(members));
    }

    /**
     * Combines these locks; their order does not matter. A member that is itself such a lock is replaced by its
     * members.
     *
     * @param members one or more locks with different names. Two locks of the same name, even in different stores,
     *     would have no order in which to wait for them
     * @throws IllegalArgumentException if there is no member, two have the same name, or one is not a lock that a
     *     client has made
     */
    public static DistributedLock of(Collection<? extends DistributedLock> members) {
        return GroupLock.of(members);
    }
}
