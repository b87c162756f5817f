package dev.interlock.redis;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import java.time.Duration;

/**
 * An acquire. A claim that is to be listed as waiting goes out listed if its client can be woken already. If not, it is asked first without: a free lock
 * does not wait for the connection that wakes come from. Only a busy answer opens that, and then the question is asked again, listed: a release in between
 * is not missed.
 */
final class AcquireCall extends ScriptCall<Attempt> {

    /** When to ask again for a lock whose lease has no end. Nobody waits as long: the engine's own poll comes first. */
    private static final Duration NO_END = Duration.ofMinutes(1);

    private final Claim claim;
    private final Settings settings;
    private final Wakes wakes;
    private boolean listed;

    private AcquireCall(Link link, Claim claim, Settings settings, Wakes wakes, boolean listed) {
        super(link, AcquireWords.of(claim, settings, listed ? wakes.inbox(claim) : null));
        this.claim = claim;
        this.settings = settings;
        this.wakes = wakes;
        this.listed = listed;
    }

    /**
     * Asks.
     *
     * @throws UnsupportedOperationException if the claim's kind does not have its mode
     */
    static AcquireCall send(Link link, Claim claim, Settings settings, Wakes wakes) {
        boolean ready = claim.waited() != null && wakes.isReady(claim);
        AcquireCall call = new AcquireCall(link, claim, settings, wakes, ready || yields(claim));
        if (!ready && yields(claim)) {
            // Where it can be woken is known only then.
            var unused = wakes.prepare(claim).whenComplete((up, failure) -> call.againListed());
        } else {
            link.send(call);
        }
        return call;
    }

    /** Such a claim lines up behind others in any case, and before it can be asked whether the lock is free: it holds it itself. */
    private static boolean yields(Claim claim) {
        return claim.replaces() != null && claim.waited() != null;
    }

    @Override
    String subject() {
        return "name=" + claim.id().name();
    }

    @Override
    void answered(Reply answer) {
        long number = answer.number();
        if (number > 0) {
            wakes.ended(claim);
            complete(Attempt.granted(number));
            return;
        }
        Attempt busy = Attempt.busy(number == 0 ? NO_END : Duration.ofMillis(-number));
        if (claim.waited() == null || listed) {
            complete(busy);
        } else {
            askAgainListed(busy);
        }
    }

    private void askAgainListed(Attempt busy) {
        var unused = wakes.prepare(claim).whenComplete((ready, failure) -> {
            if (failure == null && ready && !isDone()) {
                listed = true;
                againListed();
            } else {
                complete(busy);
            }
        });
    }

    private void againListed() {
        again(AcquireWords.of(claim, settings, wakes.inbox(claim)));
    }
}
