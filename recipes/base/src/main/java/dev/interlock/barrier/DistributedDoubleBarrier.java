package dev.interlock.barrier;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.barrier.BrokenGenerationException.Reason;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A barrier around work that a number of parties, in any processes, do together: all begin when the last has entered,
 * and all go on when the last has left.
 *
 * <pre>{@code
 * DistributedDoubleBarrier barrier = DistributedDoubleBarrier.of(interlock, "rehearsal", 3);
 * DistributedDoubleBarrier.Membership inside = barrier.enter();   // until three parties have entered
 * measure();
 * inside.leave();                                                 // until all three leave
 * }</pre>
 *
 * <p>Entering is a generation of a barrier: see {@link DistributedBarrier} for how it breaks. A party that is inside
 * holds a lease. If that ends, because its process dies for example, the party counts as left: it keeps nobody inside.
 * Whoever wants to enter while a generation is inside waits for the next one, and cannot become part of this one.
 *
 * <p>All objects of one name must have the same number of parties. The barrier needs a store with semaphores and
 * latches; without them the methods throw {@link UnsupportedOperationException}. A double barrier and a
 * {@link DistributedBarrier} of one name are independent. Thread-safe, and needs no closing.
 */
public final class DistributedDoubleBarrier {

    private final Generations generations;

    private DistributedDoubleBarrier(Generations generations) {
        this.generations = generations;
    }

    /**
     * {@return the double barrier of this name, with leases of the client's default options} Does no I/O.
     *
     * @param client the client
     * @param name the name: what a lock may have as its name, but shorter by 50 bytes
     * @param parties how many parties have to enter, 1 or more; everywhere the same
     * @throws IllegalArgumentException if an argument breaks a rule; the message says which
     */
    public static DistributedDoubleBarrier of(Interlock client, String name, int parties) {
        return of(client, name, parties, client.lockOptions().lease());
    }

    /**
     * {@return the double barrier of this name, with these leases} Throws like {@link #of(Interlock, String, int)}.
     *
     * @param client the client
     * @param name the name
     * @param parties how many parties have to enter
     * @param term a renewing term: how long a party that has died keeps the others waiting
     */
    public static DistributedDoubleBarrier of(Interlock client, String name, int parties, LeaseTerm term) {
        return new DistributedDoubleBarrier(
                new Generations(new BarrierNames(client, "double-barrier", name, parties, term)));
    }

    /** {@return the barrier's name} */
    public String name() {
        return generations.names().name();
    }

    /** {@return how many parties have to enter} */
    public int parties() {
        return generations.names().parties();
    }

    /**
     * Waits until all parties have entered. Throws like {@link DistributedBarrier#await()}.
     *
     * @return the membership, by which this party leaves
     * @throws BrokenGenerationException if somebody else broke the generation before all had entered
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    public Membership enter() throws InterruptedException, BrokenBarrierException {
        try {
            return enter(Limit.NONE);
        } catch (TimeoutException e) {
            throw new AssertionError("There was no limit", e);
        }
    }

    /**
     * Waits until all parties have entered, for at most {@code wait}. Throws like {@link #enter()}.
     *
     * @param wait how long to wait
     * @return the membership, by which this party leaves
     * @throws TimeoutException if the time is over; if this party had arrived, the generation is broken
     */
    public Membership enter(Duration wait) throws InterruptedException, BrokenBarrierException, TimeoutException {
        return enter(Limit.in(wait));
    }

    private Membership enter(Limit limit) throws InterruptedException, BrokenBarrierException, TimeoutException {
        return new Membership(generations, generations.pass(limit, () -> Reason.INTERRUPTED));
    }

    /**
     * {@return how many parties wait to enter together} Asks the store, and changes nothing.
     *
     * @throws dev.interlock.StoreUnavailableException if the store did not answer in time
     */
    public int waiting() {
        return generations.current().entries().size();
    }

    /**
     * Breaks the generation whose parties wait to enter. Those inside stay there.
     *
     * @return whether a generation was broken
     */
    public boolean reset() {
        return generations.reset();
    }

    @Override
    public String toString() {
        return "DistributedDoubleBarrier[name=" + Printable.of(name()) + ", parties=" + parties() + "]";
    }

    /** A party that is inside. For single use. Thread-safe. */
    public static final class Membership implements AutoCloseable {

        private final Generations generations;
        private final Member member;
        private final AtomicBoolean left = new AtomicBoolean();

        Membership(Generations generations, Member member) {
            this.generations = generations;
            this.member = member;
        }

        /** {@return the number of the generation that is inside, larger than that of every earlier one} */
        public long generation() {
            return member.generation();
        }

        /**
         * {@return the lease of this membership} It says whether the membership is valid, and tells of its loss. Do not
         * release it: {@link #leave} does.
         */
        public Lease lease() {
            return member.lease();
        }

        /**
         * Leaves, and waits until all parties of the generation are leaving or gone.
         *
         * @throws InterruptedException if the thread is interrupted; the membership has ended, and keeps nobody inside
         * @throws dev.interlock.LockLostException if the lease of this membership was lost: the others may be gone
         * @throws dev.interlock.StoreUnavailableException if the store has not answered; the membership has ended
         * @throws IllegalStateException if this party has left already
         */
        public void leave() throws InterruptedException {
            leave(Limit.NONE);
        }

        /**
         * Leaves, and waits until all parties of the generation are leaving or gone, for at most {@code wait}. Throws
         * like {@link #leave()}.
         *
         * @param wait how long to wait
         * @return false if others were still inside; this membership has ended nevertheless
         */
        public boolean leave(Duration wait) throws InterruptedException {
            return leave(Limit.in(wait));
        }

        private boolean leave(Limit limit) throws InterruptedException {
            if (!left.compareAndSet(false, true)) {
                throw new IllegalStateException("This party has left double barrier '"
                        + Printable.of(generations.names().name()) + "' already: generation=" + generation());
            }
            return generations.leaveTogether(member, limit);
        }

        /** Leaves without waiting for the others, unless this party has left. */
        @Override
        public void close() {
            if (left.compareAndSet(false, true)) {
                generations.leave(member, Outcome.PASSED);
            }
        }

        @Override
        public String toString() {
            return "Membership[barrier=" + Printable.of(generations.names().name()) + ", generation=" + generation()
                    + "]";
        }
    }
}
