package dev.interlock.zookeeper;

import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A barrier around work that several parties do together. It is Curator's {@code DistributedDoubleBarrier} on the same
 * path: parties of both enter and leave together. Get one from {@link ZooKeeperStore#curatorDoubleBarrier}.
 *
 * <pre>{@code
 * CuratorDoubleBarrier barrier = store.curatorDoubleBarrier("rehearsal", 3);
 * CuratorDoubleBarrier.Membership inside = barrier.enter();   // until three parties have entered
 * measure();
 * inside.leave();                                             // until all have left
 * }</pre>
 *
 * <p><b>The rules are Curator's.</b> The number of parties is a threshold and no limit: whoever comes while others are
 * inside is inside at once. Each party goes by its own number, so the one with the smallest opens the barrier for all.
 * A party that gives up or dies before the barrier opens does not break it: the others go on waiting for one more. If
 * you do not need Curator's side, take the double barrier of {@code interlock-recipes}, which decides for all or none.
 *
 * <p><b>Sessions.</b> A party is there as long as the session of its client. If its process dies, it counts as left
 * when the servers end its session. If the session ends while a party waits to enter, it enters again with the next.
 *
 * <p>A call waits for an answer of ZooKeeper for half a minute, also if its own time is over, and then throws
 * {@link dev.interlock.StoreUnavailableException}. Each call of {@code enter} is a party of its own, also if two
 * threads make them. Thread-safe. A barrier is cheap to create, and needs no closing.
 */
public final class CuratorDoubleBarrier {

    private final BarrierCalls calls;
    private final Barriers barriers;
    private final String name;
    private final int parties;

    CuratorDoubleBarrier(BarrierCalls calls, Barriers barriers, String name, int parties) {
        if (parties < 1) {
            throw new IllegalArgumentException(
                    "A double barrier must have 1 party or more: parties=" + parties + ", name=" + Printable.of(name));
        }
        this.calls = calls;
        this.barriers = barriers;
        this.name = name;
        this.parties = parties;
    }

    /** {@return the barrier's name} */
    public String name() {
        return name;
    }

    /** {@return how many parties must be there for the barrier to open} */
    public int parties() {
        return parties;
    }

    /**
     * Enters, and waits until the barrier is open.
     *
     * @return the membership, by which this party leaves
     * @throws InterruptedException if the thread is interrupted before or while it waits; the party has withdrawn
     * @throws IllegalStateException if the name is used for a lock
     */
    public Membership enter() throws InterruptedException {
        try {
            return enterWithin(null);
        } catch (TimeoutException e) {
            throw new AssertionError("There was no limit", e);
        }
    }

    /**
     * Enters, and waits until the barrier is open, for at most {@code wait}. Throws like {@link #enter()}. If the
     * barrier opens when the time is over, the others may have counted this party.
     *
     * @param wait how long to wait; zero or less succeeds if the others are there
     * @return the membership, by which this party leaves
     * @throws TimeoutException if the time is over; the party has withdrawn
     */
    public Membership enter(Duration wait) throws InterruptedException, TimeoutException {
        return enterWithin(wait);
    }

    private Membership enterWithin(@Nullable Duration wait) throws InterruptedException, TimeoutException {
        Entrant party = new Entrant(barriers, name, parties);
        boolean inside = false;
        try {
            inside = calls.await(party::enter, wait);
        } finally {
            if (!inside) {
                calls.send(party::withdraw);
            }
        }
        if (!inside) {
            throw new TimeoutException(
                    "Double barrier '" + Printable.of(name) + "' did not open for " + wait + ": parties=" + parties);
        }
        return new Membership(calls, party, name);
    }

    @Override
    public String toString() {
        return "CuratorDoubleBarrier[name=" + Printable.of(name) + ", parties=" + parties + "]";
    }

    /** A party that is inside. For single use. Thread-safe. */
    public static final class Membership implements AutoCloseable {

        private final BarrierCalls calls;
        private final Entrant party;
        private final String name;
        private final AtomicBoolean left = new AtomicBoolean();

        Membership(BarrierCalls calls, Entrant party, String name) {
            this.calls = calls;
            this.party = party;
            this.name = name;
        }

        /**
         * {@return whether the others still count this party as inside} Without I/O: false once this party has left,
         * and by half of the session's time-out after ZooKeeper's last answer, before the servers can end the session.
         */
        public boolean isValid() {
            return !left.get() && party.leftNanos() > 0;
        }

        /**
         * Leaves, and waits until all parties that are inside have left.
         *
         * @throws InterruptedException if the thread is interrupted; this party has left
         * @throws MembershipLostException if the session has ended: the others may have left without this party
         * @throws IllegalStateException if this party has left already
         */
        public void leave() throws InterruptedException {
            leaveWithin(null);
        }

        /**
         * Leaves, and waits until all parties that are inside have left, for at most {@code wait}. Throws like
         * {@link #leave()}.
         *
         * @param wait how long to wait
         * @return false if others were still inside; this party has left nevertheless
         */
        public boolean leave(Duration wait) throws InterruptedException {
            return leaveWithin(wait);
        }

        private boolean leaveWithin(@Nullable Duration wait) throws InterruptedException {
            boolean valid = isValid();
            if (!left.compareAndSet(false, true)) {
                throw new IllegalStateException(
                        "This party has left double barrier '" + Printable.of(name) + "' already");
            }
            boolean over = false;
            try {
                if (!valid) {
                    throw new MembershipLostException(name);
                }
                over = calls.await(party::leave, wait);
            } finally {
                if (!over) {
                    calls.send(party::withdraw);
                }
            }
            return over;
        }

        /** Leaves without waiting for the others, unless this party has left. */
        @Override
        public void close() {
            if (left.compareAndSet(false, true)) {
                calls.send(party::withdraw);
            }
        }

        @Override
        public String toString() {
            return "Membership[barrier=" + Printable.of(name) + ", valid=" + isValid() + "]";
        }
    }

    /** Thrown to a party that leaves after its session has ended: it was not inside any more. */
    public static final class MembershipLostException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        MembershipLostException(String name) {
            super("The session of a party in double barrier '" + Printable.of(name)
                    + "' has ended, and the party with it; the others"
                    + " may have left, so treat work done since as suspect");
        }
    }
}
