package dev.interlock.mongodb;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.support.Outlook;
import dev.interlock.support.Polling;
import dev.interlock.support.rules.Decision;
import dev.interlock.support.rules.NameState;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The verb acquire.
 *
 * <pre>
 *   first request   TAKE, if the name is free ------------------------> granted
 *                     '--- STAMP: document and time, decide, SWAP ----> granted or listed; again if others were faster
 *   next requests   READ: busy by what is known of the time ----------> busy, without a write
 *                     '--- otherwise as above
 * </pre>
 *
 * The lease counts from the time that was read, which is after the request was sent: it never ends in the store before
 * it ends in the client.
 */
final class Acquire implements Workers.Verb<Attempt> {

    /** A claim in order that is not the first may be late for its turn: nobody else takes it. */
    private static final Polling POLLING =
            new Polling(Duration.ofMillis(2), Duration.ofMillis(40), Duration.ofMillis(5), Duration.ofMillis(60));

    private static final Duration IN_ORDER_PER_PLACE = Duration.ofMillis(10);
    private static final int IN_ORDER_PLACES = 25;

    /** The delay of a claim that is woken: it stays listed so, and a wake that is lost costs no more. */
    private static final Duration WOKEN = Duration.ofMillis(700);

    /** A hold that is shorter ends before anybody is woken: a poll is faster. */
    private static final long LONG_MILLIS = 100;

    private final Claim claim;
    private final Wakes wakes;

    /** The stream that carries a wake sent after this: looked up before the claim is listed. */
    private final Wakes.@Nullable Stream stream;

    Acquire(Claim claim, Wakes wakes) {
        this.claim = claim;
        this.wakes = wakes;
        this.stream = wakes.streamFor(claim);
    }

    @Override
    public Attempt run(Documents documents, Runnable wanted) {
        Attempt early = claim.replaces() == null ? early(documents, wanted) : null;
        Attempt attempt = early == null ? decide(documents, wanted) : early;
        if (attempt instanceof Attempt.Granted) {
            wakes.waitsNoMore(claim);
        }
        return attempt;
    }

    /** What one command can answer; null if it is not enough. */
    private @Nullable Attempt early(Documents documents, Runnable wanted) {
        Attempt busy = Duration.ZERO.equals(claim.waited()) || claim.waited() == null ? null : look(documents);
        // What a free lock is taken with says nothing of permits, or of a count.
        if (busy != null || (claim.id().kind() != LockKind.LOCK && claim.id().kind() != LockKind.READ_WRITE)) {
            return busy;
        }
        wanted.run();
        long fence = documents.take(claim);
        return fence == 0 ? null : Attempt.granted(fence);
    }

    /** Busy, if there is nothing to write. */
    private @Nullable Attempt look(Documents documents) {
        long now = documents.nowAtLeast();
        if (now == 0) {
            return null;
        }
        NameDocument read = documents.read(claim.id(), now);
        Decision<Attempt> decision = decide(read);
        boolean isBusy = decision.answer() instanceof Attempt.Busy && read.isStill(decision.state());
        return isBusy ? answer(read, decision) : null;
    }

    private Attempt decide(Documents documents, Runnable wanted) {
        for (int lost = 0; ; lost++) {
            wanted.run();
            NameDocument read = documents.stampOrMake(claim.id());
            Decision<Attempt> decision = decide(read);
            if (read.isOutgrownBy(decision.state())) {
                return unlisted(read, decision);
            }
            wanted.run();
            if (Verbs.write(documents, read, decision)) {
                return answer(read, decision);
            }
            Verbs.pauseAfter(lost);
        }
    }

    /** A claim beyond the most of a name: one that has to wait polls without a place in the line. */
    private Attempt unlisted(NameDocument read, Decision<Attempt> decision) {
        if (decision.answer() instanceof Attempt.Granted) {
            throw new StoreRefusal("The name '" + claim.id().printable() + "' has too many claims to add one: most="
                    + NameDocument.MOST_CLAIMS);
        }
        return answer(read, decision);
    }

    private Decision<Attempt> decide(NameDocument read) {
        return NameDocument.RULES.acquire(read.state(), claim, "", read.now());
    }

    private Attempt answer(NameDocument read, Decision<Attempt> decision) {
        if (decision.answer() instanceof Attempt.Granted || claim.waited() == null) {
            return decision.answer();
        }
        wakes.waits(claim);
        return Attempt.busy(delay(decision.state(), read.now()));
    }

    /** A claim that is woken needs not ask so often, once it is likely to wait for long. */
    private Duration delay(NameState state, long now) {
        double jitter = ThreadLocalRandom.current().nextDouble();
        Outlook outlook = Outlook.of(state, claim, now);
        boolean isWoken = stream != null && stream == wakes.streamFor(claim);
        if (isWoken && outlook.heldMillis() >= LONG_MILLIS) {
            return Polling.spread(WOKEN, outlook.leftMillis(), jitter);
        } else if (claim.mode().inOrder() && outlook.ahead() > 0) {
            Duration calm = IN_ORDER_PER_PLACE.multipliedBy(Math.min(outlook.ahead(), IN_ORDER_PLACES));
            return Polling.spread(calm, outlook.leftMillis(), jitter);
        }
        return POLLING.delay(outlook, jitter);
    }
}
