package dev.interlock.barrier;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.barrier.BrokenGenerationException.Reason;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A point where a number of parties, in any processes, wait for each other, like a
 * {@link java.util.concurrent.CyclicBarrier}. When the last of them has arrived, all go on, and the barrier serves the
 * next generation.
 *
 * <pre>{@code
 * DistributedBarrier barrier = DistributedBarrier.of(interlock, "import", 3);
 * load(part);
 * barrier.await();        // until three parties have arrived
 * publish(part);
 * }</pre>
 *
 * <p><b>All or none.</b> A generation passes for all of its parties or breaks for all of them. It breaks if a party
 * gives up (its time is over, its thread is interrupted, its stage is cancelled or ended otherwise), if the lease of a
 * party ends (its process dies, is cut off from the store, or closes its client), or by {@link #reset}. The party that
 * gives up learns of that as of its own giving up; the others get a {@link BrokenGenerationException} with who and why.
 * If the last party arrives at the same moment, the store takes what comes first, for all.
 *
 * <p><b>A broken generation is over.</b> Unlike a {@code CyclicBarrier}, the barrier does not stay broken: the next
 * party to arrive begins a new generation, at once, and no {@code reset} is needed. Those of the broken generation who
 * have not learned of it yet keep their places until they have, or until their leases end.
 *
 * <p><b>Leases.</b> A party that waits holds a lease, which the client renews. If its process dies, the others learn of
 * that within the lease and some seconds. A party that passes and dies before it returns has passed.
 *
 * <p>Each call of {@code await} is a party, also if two threads of a process make them. All objects of one name must
 * have the same number of parties. The barrier needs a store with semaphores and latches; without them the methods
 * throw {@link UnsupportedOperationException}. Thread-safe. A barrier is cheap to create and to keep, and needs no
 * closing.
 */
public final class DistributedBarrier {

    private final Generations generations;

    private DistributedBarrier(Generations generations) {
        this.generations = generations;
    }

    /**
     * {@return the barrier of this name, with leases of the client's default options} Does no I/O.
     *
     * @param client the client
     * @param name the name: what a lock may have as its name, but shorter by 40 bytes
     * @param parties how many parties have to arrive, 1 or more; everywhere the same
     * @throws IllegalArgumentException if an argument breaks a rule; the message says which
     */
    public static DistributedBarrier of(Interlock client, String name, int parties) {
        return of(client, name, parties, client.lockOptions().lease());
    }

    /**
     * {@return the barrier of this name, with these leases} Throws like {@link #of(Interlock, String, int)}.
     *
     * @param client the client
     * @param name the name
     * @param parties how many parties have to arrive
     * @param term a renewing term: how long a party that has died keeps the others waiting
     */
    public static DistributedBarrier of(Interlock client, String name, int parties, LeaseTerm term) {
        return new DistributedBarrier(new Generations(new BarrierNames(client, "barrier", name, parties, term)));
    }

    /** {@return the barrier's name} */
    public String name() {
        return generations.names().name();
    }

    /** {@return how many parties have to arrive} */
    public int parties() {
        return generations.names().parties();
    }

    /**
     * Arrives, and waits until all parties of the generation have arrived.
     *
     * @return the number of the generation, larger than that of every earlier one
     * @throws BrokenGenerationException if the generation was broken by somebody else
     * @throws InterruptedException if the thread is interrupted before or while it waits; if it had arrived, the
     *     generation is broken
     * @throws IllegalStateException if another process gives the barrier another number of parties, or the client is
     *     closed
     * @throws dev.interlock.StoreUnavailableException if the store has not answered for the client's
     *     {@code storeTimeout}; the generation breaks for the others when the lease of this party ends
     */
    public long await() throws InterruptedException, BrokenBarrierException {
        try {
            return await(Limit.NONE, () -> Reason.INTERRUPTED);
        } catch (TimeoutException e) {
            throw new AssertionError("There was no limit", e);
        }
    }

    /**
     * Arrives, and waits until all parties of the generation have arrived, for at most {@code wait}. Throws like
     * {@link #await()}.
     *
     * @param wait how long to wait; zero or less succeeds only if all others have arrived
     * @return the number of the generation
     * @throws TimeoutException if the time is over; if this party had arrived, the generation is broken
     */
    public long await(Duration wait) throws InterruptedException, BrokenBarrierException, TimeoutException {
        return await(Limit.in(wait), () -> Reason.INTERRUPTED);
    }

    /**
     * Does the same as {@link #await()} on a thread of its own. To give up, cancel {@code toCompletableFuture()}, or
     * end it in another way, such as {@code orTimeout}: that breaks the generation.
     *
     * @return a stage of the number of the generation; what {@link #await()} throws fails it
     */
    public CompletionStage<Long> awaitAsync() {
        return async(Limit.NONE);
    }

    /**
     * Does the same as {@link #await(Duration)} on a thread of its own; see {@link #awaitAsync()}.
     *
     * @param wait how long to wait
     * @return a stage of the number of the generation
     */
    public CompletionStage<Long> awaitAsync(Duration wait) {
        return async(Limit.in(wait));
    }

    private CompletionStage<Long> async(Limit limit) {
        return AsyncCall.start(
                "interlock-barrier-" + name(),
                call -> await(limit, () -> call.isDone() ? Reason.CANCELLED : Reason.INTERRUPTED));
    }

    private long await(Limit limit, Supplier<Reason> ofInterrupt)
            throws InterruptedException, BrokenBarrierException, TimeoutException {
        Member me = generations.pass(limit, ofInterrupt);
        generations.leave(me, Outcome.PASSED);
        return me.generation();
    }

    /**
     * Breaks the generation in which parties wait. Does nothing if nobody waits.
     *
     * @return whether a generation was broken
     * @throws dev.interlock.StoreUnavailableException if the store has not answered; the generation may be broken
     */
    public boolean reset() {
        return generations.reset();
    }

    /**
     * {@return how many parties wait in the present generation} Asks the store, and changes nothing.
     *
     * @throws dev.interlock.StoreUnavailableException if the store did not answer in time
     */
    public int waiting() {
        return generations.current().entries().size();
    }

    /**
     * {@return the number of the generation in which parties wait; 0 if nobody waits} Asks the store, and throws like
     * {@link #waiting()}.
     */
    public long generation() {
        Roster current = generations.current();
        return current.entries().isEmpty() ? 0 : current.entries().get(0).generation();
    }

    /**
     * {@return whether a party of a broken generation has not learned of that yet} Asks the store, and throws like
     * {@link #waiting()}.
     */
    public boolean isBroken() {
        return generations.isBroken();
    }

    @Override
    public String toString() {
        return "DistributedBarrier[name=" + Printable.of(name()) + ", parties=" + parties() + "]";
    }
}
