package dev.interlock.mongodb;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The verb acquire.
 *
 * <pre>
 *   first ask    TAKE, if the name is free ----------------------> granted
 *                  '--- STAMP: document and time, decide, SWAP --> granted or listed; once more if others were quicker
 *   ask again    FIND, not its turn by what is known of the time -> busy, without a write
 *                  '--- else as above
 * </pre>
 *
 * The lease counts from the time that was read, which is after the request was sent: it never ends in the store before
 * it ends here.
 */
final class Acquire implements Verb<Attempt> {

    /** Losing a swap means that another one won it: pauses only keep many from meeting again and again. */
    private static final int MAX_PAUSE_DOUBLINGS = 5;

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final Claim claim;
    private final Wakes wakes;

    /** What hears of a turn that comes after this; asked for before the claim is listed. */
    private final @Nullable Changes hearing;

    Acquire(Claim claim, Wakes wakes) {
        this.claim = claim;
        this.wakes = wakes;
        this.hearing = wakes.hearing(claim);
    }

    @Override
    public Attempt run(Documents documents, Wanted wanted) {
        if (claim.waited() != null) {
            wakes.mayWait(claim);
        }
        Attempt attempt = attempt(documents, wanted);
        if (attempt instanceof Attempt.Granted) {
            wakes.waitsNoMore(claim);
        }
        return attempt;
    }

    private Attempt attempt(Documents documents, Wanted wanted) {
        if (claim.replaces() == null) {
            Attempt early = hasWaited() ? look(documents) : null;
            if (early == null && mayTake()) {
                wanted.check();
                early = take(documents);
            }
            if (early != null) {
                return early;
            }
        }
        return decide(documents, wanted);
    }

    private boolean hasWaited() {
        Duration waited = claim.waited();
        return waited != null && !waited.isZero();
    }

    /** What a free lock is taken with says nothing of permits, or of a count. */
    private boolean mayTake() {
        return claim.id().kind() == LockKind.LOCK || claim.id().kind() == LockKind.READ_WRITE;
    }

    private @Nullable Attempt look(Documents documents) {
        ServerClock clock = documents.clock();
        if (!clock.isKnown()) {
            return null;
        }
        Name name = documents.read(claim.id(), clock.atLeast());
        Attempt busy = name == null ? null : name.stillBusy(claim);
        return name == null || busy == null ? null : told(name, busy);
    }

    /**
     * One that hears of its turn need not ask so often, once it is likely to wait for long: a short hold is over before
     * anybody is told.
     */
    private Attempt told(Name name, Attempt attempt) {
        if (attempt instanceof Attempt.Granted || claim.waited() == null) {
            return attempt;
        }
        wakes.waits(claim);
        boolean heard = hearing != null && hearing == wakes.hearing(claim);
        return heard && name.holdMillis(claim) >= Timing.LONG_MS ? name.askAgainUnheard() : attempt;
    }

    private @Nullable Attempt take(Documents documents) {
        Document taken = documents.take(claim);
        return taken == null ? null : Attempt.granted(Fields.number(taken, "fence"));
    }

    private Attempt decide(Documents documents, Wanted wanted) {
        for (int lost = 0; ; lost++) {
            wanted.check();
            Name name = documents.stampOrMake(claim.id());
            Name.Decision decision = name.acquire(claim);
            wanted.check();
            if (!decision.isChange() || documents.swap(name)) {
                return told(name, decision.attempt());
            }
            pause(lost);
        }
    }

    private static void pause(int lost) {
        long most = PAUSE_NANOS << Math.min(lost, MAX_PAUSE_DOUBLINGS);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
    }
}
