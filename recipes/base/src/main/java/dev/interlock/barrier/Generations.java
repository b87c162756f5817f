package dev.interlock.barrier;

import dev.interlock.DistributedLatch;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.Party;
import dev.interlock.StoreUnavailableException;
import dev.interlock.barrier.BrokenGenerationException.Reason;
import dev.interlock.barrier.Roster.Entry;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a party arrives in a generation and waits for its end. Thread-safe: all state is in the store, and in the calls.
 *
 * <p><b>Arriving.</b> A generation is open while its opener is in the roster and its end is not set. A party joins the
 * open generation that was opened first; if there is none, it opens one. It does so in two steps. At first it holds a
 * permit more than those who count, looks, and goes away if the generation is over. Then it gives that permit back, and
 * counts. So nobody is missed who has only come and gone. The permits are too few for one party more than the barrier
 * has: one that finds the generation open is among those by whom it is complete, and cannot pass it by.
 *
 * <p><b>Who decides.</b> Anybody who sees that all are there, or that one is missing, sets the end. The store takes the
 * first; whoever sets a second one reads the first, and goes by it.
 *
 * <p><b>Who notices.</b> A party remembers whom it has seen. One that is missing while the generation is open has let
 * go without an end: its lease is over. One that has come and gone between two looks is missing in the count of those
 * who have arrived. The wait for the gate goes on in the store from look to look, of which the first party's are the
 * most frequent.
 */
final class Generations {

    /** How long the first party waits before it looks whether the others live; each after it waits once more. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final int MOST_LOOKS = 10;

    /** The longest pause before a party that found no permit, or no store, tries again. */
    private static final int MOST_PAUSE_MS = 100;

    /** In the place of the token of a party that nobody has seen. */
    private static final long UNSEEN = 0;

    private final BarrierNames names;

    Generations(BarrierNames names) {
        this.names = names;
    }

    BarrierNames names() {
        return names;
    }

    /** Arrives and waits until the generation has passed; the permits are still held then. */
    Member pass(Limit limit, Supplier<Reason> ofInterrupt)
            throws InterruptedException, TimeoutException, BrokenGenerationException {
        while (true) {
            Member me = arrive(limit);
            Map<Long, Party> known = new HashMap<>();
            Outcome outcome = Outcome.OPEN;
            Reason own = null;
            try {
                try {
                    outcome = await(me, known, limit);
                    if (outcome.equals(Outcome.OPEN)) {
                        own = Reason.TIMED_OUT;
                        outcome = giveUp(me, Reason.TIMED_OUT);
                    }
                } catch (InterruptedException e) {
                    own = ofInterrupt.get();
                    outcome = giveUpInterrupted(me, own);
                }
            } finally {
                if (!outcome.equals(Outcome.PASSED)) {
                    leave(me, outcome);
                }
            }
            if (outcome.equals(Outcome.PASSED)) {
                keepInterrupt(own);
                return me;
            }
            if (outcome.isBroken()) {
                throwIfOwn(own, outcome, me);
                keepInterrupt(own);
                throw brokenBy(outcome, me.generation(), known);
            }
            throwIfGivenUp(own);
        }
    }

    /** An interrupt that came too late to break anything: the caller finds it. */
    private static void keepInterrupt(@Nullable Reason own) {
        if (own != null && own != Reason.TIMED_OUT) {
            Thread.currentThread().interrupt();
        }
    }

    private void throwIfOwn(@Nullable Reason own, Outcome outcome, Member me)
            throws InterruptedException, TimeoutException {
        if (own != null && outcome.equals(Outcome.broken(own, me.token()))) {
            throwIfGivenUp(own);
        }
    }

    private void throwIfGivenUp(@Nullable Reason own) throws InterruptedException, TimeoutException {
        if (own == Reason.TIMED_OUT) {
            throw new TimeoutException("Not all of the " + names.parties() + " parties of barrier '"
                    + Printable.of(names.name()) + "' came in time");
        }
        if (own != null) {
            throw new InterruptedException();
        }
    }

    private BrokenGenerationException brokenBy(Outcome outcome, long generation, Map<Long, Party> known) {
        Party party = known.keySet().stream()
                .filter(outcome::isBecauseOf)
                .findFirst()
                .map(known::get)
                .orElse(null);
        return new BrokenGenerationException(names.name(), generation, outcome.reason(), party);
    }

    // ---- arriving

    private Member arrive(Limit limit) throws InterruptedException, TimeoutException {
        int pauseMillis = 1;
        // Whether permits of this party may be on their way back, which make it seem that there are none left.
        boolean unanswered = false;
        Limit patience = BarrierNames.patience();
        while (true) {
            ensureNotInterrupted();
            try {
                Entry opener = openGeneration(checked(names.roster(), Long.MAX_VALUE));
                Member me = opener != null ? join(opener, limit) : open(limit);
                if (me != null) {
                    return me;
                }
                // The store has said that this party does not complete a generation now.
                if (!limit.isOver()) {
                    patience = BarrierNames.patience();
                } else if (!unanswered || patience.isOver()) {
                    throwIfGivenUp(Reason.TIMED_OUT);
                }
            } catch (StoreUnavailableException e) {
                // Without an answer nobody knows who is there, also if the time is over.
                if (patience.isOver()) {
                    throw e;
                }
                unanswered = true;
            }
            // The generation is complete and about to end, or its permits are on their way back.
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(pauseMillis) + 1L);
            pauseMillis = Math.min(MOST_PAUSE_MS, pauseMillis * 2);
        }
    }

    /** The opener of the generation that is open; of several the first. Null if none is open. */
    private @Nullable Entry openGeneration(Roster roster) {
        for (Entry entry : roster.entries()) {
            if (entry.isOpener() && names.outcome(entry.generation()).equals(Outcome.OPEN)) {
                return entry;
            }
        }
        return null;
    }

    /** Takes a permit in this generation; null if it has none left, or has ended. */
    private @Nullable Member join(Entry opener, Limit limit) throws InterruptedException {
        Ticket ticket = new Ticket(names.parties(), opener.gate(), opener.generation());
        DistributedSemaphore arrivals = names.arrivals(ticket);
        // The permits of a generation that has ended come free, whoever waits for them: there is nothing to look for.
        Lease lease = arrivals.tryAcquire(BarrierNames.ARRIVING, limit.left()).orElse(null);
        if (lease == null) {
            return null;
        }
        return keptIf(lease, () -> {
            // While the opener was there after this party had come, the end is not forgotten.
            boolean isThere = checked(names.roster(), lease.token()).contains(opener.token());
            if (!isThere || !names.outcome(opener.generation()).equals(Outcome.OPEN)) {
                return null;
            }
            ensureNotInterrupted();
            names.arrived(opener.generation()).countDown();
            arrivals.release(lease, BarrierNames.ARRIVING - BarrierNames.ARRIVED);
            return new Member(lease, opener.generation(), opener.gate());
        });
    }

    /** Opens a generation; null if somebody else has, or if there is no permit yet. */
    private @Nullable Member open(Limit limit) throws InterruptedException {
        // As soon as somebody else has opened one, the lock is of no use any more.
        Lease opening = Stages.await(
                names.opening().tryAcquireAsync(limit.left()).toCompletableFuture(),
                LOOK,
                () -> openGeneration(names.roster()) == null);
        if (opening == null) {
            return null;
        }
        try {
            Roster before = checked(names.roster(), Long.MAX_VALUE);
            if (openGeneration(before) != null || !opening.isValid()) {
                return null;
            }
            int gate = before.unusedGate();
            DistributedSemaphore arrivals = names.arrivals(new Ticket(names.parties(), gate, 0));
            Lease lease =
                    arrivals.tryAcquire(BarrierNames.ARRIVING, limit.left()).orElse(null);
            return lease == null ? null : keptIf(lease, () -> opened(arrivals, new Member(lease, lease.token(), gate)));
        } finally {
            // Nobody here waits for it.
            var unused = opening.releaseAsync();
        }
    }

    /** The lock may have lapsed, and two generations may be open: the first stays. */
    private @Nullable Member opened(DistributedSemaphore arrivals, Member me) throws InterruptedException {
        checked(names.roster(), me.token());
        ensureNotInterrupted();
        names.gate(me.gate()).trySetCount(1);
        names.arrived(me.generation()).trySetCount(names.countAfter(1));
        arrivals.release(me.lease(), BarrierNames.ARRIVING - BarrierNames.ARRIVED);
        Entry first = openGeneration(names.roster());
        boolean isSecond = first != null && first.token() < me.token();
        // This party counts already, and the others may have ended its generation: then that end is what counts. The
        // generation before may only seem open, if its end was forgotten after this party had read the roster.
        boolean isVoid =
                isSecond && end(me.generation(), me.gate(), Outcome.VOID).equals(Outcome.VOID);
        return isVoid ? null : me;
    }

    /** The last step of an arrival; null if it comes to nothing. */
    private interface Step {
        @Nullable
        Member take() throws InterruptedException;
    }

    private static @Nullable Member keptIf(Lease lease, Step step) throws InterruptedException {
        Member me = null;
        try {
            me = step.take();
        } finally {
            if (me == null) {
                lease.close();
            }
        }
        return me;
    }

    private static void ensureNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Refuses a barrier that has another number of parties for those who came before this token. */
    private Roster checked(Roster roster, long token) {
        Entry other = roster.otherParties(names.parties(), token);
        if (other != null) {
            throw new IllegalStateException("Barrier '" + Printable.of(names.name()) + "' has " + other.parties()
                    + " parties for process " + other.party().pid() + " on "
                    + other.party().host() + ", and " + names.parties()
                    + " for this one: give it the same number everywhere");
        }
        return roster;
    }

    // ---- waiting

    /** Waits for the end of the generation; open if the time is over before. */
    private Outcome await(Member me, Map<Long, Party> known, Limit limit) throws InterruptedException {
        Limit patience = BarrierNames.patience();
        try (Gate gate = new Gate(names.gate(me.gate()))) {
            while (true) {
                try {
                    Outcome outcome = look(me, known);
                    if (!outcome.equals(Outcome.OPEN) || limit.isOver()) {
                        return outcome;
                    }
                    patience = BarrierNames.patience();
                    int looks = Math.min(MOST_LOOKS, 1 + known(known, me.token()));
                    if (gate.await(limit.left(LOOK.multipliedBy(looks)))) {
                        // It was opened for this generation, or by somebody who is late; or nobody has shut it yet.
                        outcome = names.outcome(me.generation());
                        if (!outcome.equals(Outcome.OPEN)) {
                            return outcome;
                        }
                        gate.shut();
                    }
                } catch (StoreUnavailableException e) {
                    // Without an answer nobody knows whether all are there, also if the time is over.
                    if (!me.lease().isValid() || (limit.isOver() && patience.isOver())) {
                        throw e;
                    }
                    TimeUnit.MILLISECONDS.sleep(MOST_PAUSE_MS);
                }
            }
        }
    }

    private static int known(Map<Long, Party> known, long token) {
        return (int) known.keySet().stream().filter(each -> each < token).count();
    }

    /**
     * Ends the generation if it is complete or a party is missing. A party that has been interrupted meanwhile gives up
     * instead of completing it.
     */
    private Outcome look(Member me, Map<Long, Party> known) throws InterruptedException {
        Outcome outcome = names.outcome(me.generation());
        if (!outcome.equals(Outcome.OPEN)) {
            return outcome;
        }
        // Before the roster: whoever is counted then is in the roster, or has let go.
        int counted = names.counted(me.generation());
        Roster all = names.roster();
        Roster members = all.of(me.generation());
        Long missing = missing(me, members, known);
        if (missing == null && all.in(me.generation()) < counted) {
            missing = UNSEEN;
        }
        if (missing != null) {
            return end(me.generation(), me.gate(), Outcome.broken(Reason.LEASE_ENDED, missing));
        }
        members.entries().forEach(each -> known.put(each.token(), each.party()));
        if (members.entries().size() < names.parties()) {
            return Outcome.OPEN;
        }
        ensureNotInterrupted();
        return end(me.generation(), me.gate(), Outcome.PASSED);
    }

    /** The token of a party that has let go; null if all are there. */
    private static @Nullable Long missing(Member me, Roster members, Map<Long, Party> known) {
        if (!members.contains(me.token())) {
            return me.token();
        }
        if (!members.contains(me.generation())) {
            return me.generation();
        }
        return known.keySet().stream()
                .filter(token -> !members.contains(token))
                .findFirst()
                .orElse(null);
    }

    // ---- ending

    /** If the store does not answer, the caller gets that, and finds the interrupt. */
    private Outcome giveUpInterrupted(Member me, Reason reason) {
        try {
            return giveUp(me, reason);
        } catch (RuntimeException e) {
            Thread.currentThread().interrupt();
            throw e;
        }
    }

    private Outcome giveUp(Member me, Reason reason) {
        return end(me.generation(), me.gate(), Outcome.broken(reason, me.token()));
    }

    /** Sets the end of a generation, unless it is set; returns what it is. Wakes the others in any case. */
    private Outcome end(long generation, int gate, Outcome outcome) {
        DistributedLatch end = names.end(generation);
        boolean isFirst = end.trySetCount(outcome.count());
        names.gate(gate).countDown();
        return isFirst ? outcome : names.outcome(generation);
    }

    /** Ends the membership. The last of a generation makes the store forget how it has ended, if that is cheap. */
    void leave(Member me, Outcome outcome) {
        me.lease().close();
        boolean isCheap = outcome.equals(Outcome.PASSED) || outcome.equals(Outcome.VOID);
        try {
            if (isCheap && !names.roster().isInUse(me.generation())) {
                for (int i = 0; i < outcome.count(); i++) {
                    names.end(me.generation()).countDown();
                }
                if (outcome.equals(Outcome.PASSED)) {
                    names.arrived(me.generation()).countDown();
                }
            }
        } catch (IllegalStateException | StoreUnavailableException e) {
            // It forgets it a day later, too.
        }
    }

    /**
     * Leaves a generation that has passed together with its other parties: waits until each of them is leaving, or is
     * gone. Returns false if the time is over before; then this party has left alone.
     */
    boolean leaveTogether(Member me, Limit limit) throws InterruptedException {
        try (Gate gate = new Gate(names.gate(me.gate()))) {
            // Fewer permits than it came with: the others see that it is leaving, and that it is still there.
            names.arrivals(new Ticket(names.parties(), me.gate(), me.generation()))
                    .release(me.lease(), BarrierNames.ARRIVED - BarrierNames.LEAVING);
            while (true) {
                gate.shut();
                boolean isLast = names.roster().of(me.generation()).entries().stream()
                        .noneMatch(each -> each.permits() != BarrierNames.LEAVING);
                if (isLast) {
                    names.gate(me.gate()).countDown();
                }
                if (isLast || limit.isOver()) {
                    return isLast;
                }
                awaitOpen(gate, limit);
            }
        } finally {
            leave(me, Outcome.PASSED);
        }
    }

    private static void awaitOpen(Gate gate, Limit limit) throws InterruptedException {
        try {
            gate.await(limit.left(LOOK));
        } catch (StoreUnavailableException e) {
            // Whoever waits looks again in any case.
            TimeUnit.MILLISECONDS.sleep(MOST_PAUSE_MS);
        }
    }

    // ---- looking

    /** The parties of the generation that is open; empty if none is. */
    Roster current() {
        Roster all = names.roster();
        Entry opener = openGeneration(all);
        return opener == null ? new Roster(List.of()) : all.of(opener.generation());
    }

    /** Whether somebody who waited in a broken generation has not learned of it yet. */
    boolean isBroken() {
        return names.roster().entries().stream()
                .mapToLong(Entry::generation)
                .distinct()
                .anyMatch(generation -> names.outcome(generation).isBroken());
    }

    /** Breaks the generation that is open; false if none is, or if it has ended in another way. */
    boolean reset() {
        Entry opener = openGeneration(names.roster());
        Outcome reset = Outcome.broken(Reason.RESET, 0);
        return opener != null && end(opener.generation(), opener.gate(), reset).equals(reset);
    }
}
