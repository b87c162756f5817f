package dev.interlock.barrier;

import dev.interlock.DistributedLatch;
import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The semaphore, the latches and the lock of a barrier. A number always comes before the user's name, so that no two
 * barriers have a name in common.
 *
 * @param client the client
 * @param kind what all names begin with
 * @param name the name of the barrier
 * @param parties how many parties it has
 * @param term the term of the parties' leases
 */
record BarrierNames(Interlock client, String kind, String name, int parties, LeaseTerm term) {

    /** The largest number of parties. */
    static final int MOST_PARTIES = 1_000_000;

    /** For how long a question is repeated that the store does not answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** The permits of a party that has asked for its place, and does not count yet. */
    static final int ARRIVING = 3;

    /** The permits of a party that counts. */
    static final int ARRIVED = 2;

    /** The permits of a party that leaves, and waits for the others to leave. */
    static final int LEAVING = 1;

    /** A lock that lapses keeps nobody from opening a generation for longer than this. */
    private static final LockOptions OPENING = LockOptions.builder()
            .lease(LeaseTerm.renewing(Duration.ofSeconds(10)))
            .build();

    BarrierNames {
        if (parties < 1 || parties > MOST_PARTIES) {
            throw new IllegalArgumentException("A barrier must have from 1 to " + MOST_PARTIES + " parties: barrier '"
                    + Printable.of(name) + "' would have " + parties);
        }
        if (!term.isRenewing() || term.maxHold().isPresent()) {
            throw new IllegalArgumentException("The lease of a party must be a renewing one without a longest hold,"
                    + " for it waits as long as the others take: barrier '" + Printable.of(name) + "' would have "
                    + term);
        }
        LockId.lock(name);
        try {
            client.latch(kind + "-end:" + Long.MAX_VALUE + ":" + name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The name of a barrier must leave room for what its parts begin with, '" + kind + "-end:"
                            + Long.MAX_VALUE + ":', within " + LockId.MAX_NAME_BYTES + " bytes of UTF-8: it has "
                            + name.length() + " characters",
                    e);
        }
    }

    /** The permits of those who have arrived, to be acquired with this ticket. */
    DistributedSemaphore arrivals(Ticket ticket) {
        LockOptions options = LockOptions.builder()
                .lease(term)
                .fair(true)
                .participant(ticket.encode())
                .build();
        return client.semaphore(kind + ":" + name, permits(), options);
    }

    /** Enough for all parties, two of which may be arriving; too few for one more beside all. */
    private int permits() {
        return parties * ARRIVED + 2 * (ARRIVING - ARRIVED);
    }

    Roster roster() {
        return Roster.of(
                repeated(() -> client.semaphore(kind + ":" + name, permits()).inspect()));
    }

    /** The count of this latch is how the generation has ended. */
    DistributedLatch end(long generation) {
        return client.latch(kind + "-end:" + generation + ":" + name);
    }

    /**
     * The count of this latch is how many parties of a generation have yet to arrive, and one more: so it is at zero
     * only if the store has forgotten it, as it does with what nobody has used for a day.
     */
    DistributedLatch arrived(long generation) {
        return client.latch(kind + "-in:" + generation + ":" + name);
    }

    /** The count when so many have arrived. */
    int countAfter(int arrivals) {
        return parties + 1 - arrivals;
    }

    /** How many parties have arrived in a generation, and may have let go since; 0 if nobody knows. */
    int counted(long generation) {
        int count = repeated(arrived(generation)::count);
        return count == 0 ? 0 : parties + 1 - count;
    }

    Outcome outcome(long generation) {
        return new Outcome(repeated(end(generation)::count));
    }

    /** Until when to ask a store that does not answer. */
    static Limit patience() {
        return Limit.in(PATIENCE);
    }

    /** Asks again while the store is not available: an answer that is late must not break a generation. */
    private static <T> T repeated(Supplier<T> question) {
        Limit patience = patience();
        while (true) {
            try {
                return question.get();
            } catch (StoreUnavailableException e) {
                if (patience.isOver() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** Wakes those who wait for the end of a generation, or for others to leave it. */
    DistributedLatch gate(int gate) {
        return client.latch(kind + "-gate:" + gate + ":" + name);
    }

    /** Held while a generation is opened. */
    DistributedLock opening() {
        return client.lock(kind + "-opening:" + name, OPENING);
    }
}
