package dev.interlock.redis.operation;

import dev.interlock.redis.command.Reply;
import dev.interlock.redis.config.Settings;
import dev.interlock.redis.topology.Router;
import dev.interlock.redis.wake.WakeReceiver;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import java.time.Duration;

/**
 * An acquire. A claim that is to be listed as waiting goes out listed if its client can be woken already. If not, it
 * goes out without: a free lock does not wait for the connection that wakes come from. Only a busy answer opens that,
 * and is not held back for it; the claim asks again, to be listed, when it is woken because that connection stands, or
 * after a pause that is short at first.
 */
public final class AcquireCommand extends ScriptCommand<Attempt> {

    /** When to ask again for a lock whose lease has no end. Nobody waits as long: the engine's own poll comes first. */
    private static final Duration NO_END = Duration.ofMinutes(1);

    /** The first pause of a claim that could not be listed; the next are as long as it has waited. */
    private static final Duration SOON = Duration.ofMillis(20);

    private final Claim claim;
    private final WakeReceiver wakes;

    /** Whether it is to wait and would not have heard of a wake when it went out. */
    private final boolean unheard;

    private AcquireCommand(Router link, Claim claim, ScriptArguments words, WakeReceiver wakes, boolean unheard) {
        super(link, words);
        this.claim = claim;
        this.wakes = wakes;
        this.unheard = unheard;
    }

    /**
     * Asks.
     *
     * @throws UnsupportedOperationException if the claim's kind does not have its mode
     */
    public static AcquireCommand send(Router link, Claim claim, Settings settings, WakeReceiver wakes) {
        boolean waits = claim.waited() != null;
        String inbox = waits ? wakes.inboxIfSubscribed(claim) : null;
        boolean unheard = waits && inbox == null;
        if (unheard && claim.replaces() != null) {
            // Such a claim lines up behind others in any case: it holds the lock itself.
            wakes.subscribe(claim);
            inbox = wakes.inbox(claim);
        }
        AcquireCommand call =
                new AcquireCommand(link, claim, AcquireArguments.of(claim, settings, inbox), wakes, unheard);
        link.send(call);
        return call;
    }

    @Override
    String subject() {
        return "name=" + claim.id().name();
    }

    @Override
    protected void onReply(Reply answer) {
        long number = answer.number();
        if (number > 0) {
            wakes.waitEnded(claim);
            complete(Attempt.granted(number));
            return;
        }
        Duration left = number == 0 ? NO_END : Duration.ofMillis(-number);
        Duration waited = claim.waited();
        if (waited != null) {
            left = shorter(left, whileListed());
        }
        if (unheard && waited != null) {
            // First: whoever gives up says so only afterwards.
            wakes.subscribe(claim);
            left = shorter(left, longer(SOON, waited));
        }
        if (!complete(Attempt.busy(left)) && unheard) {
            wakes.waitEnded(claim);
        }
    }

    /** Well before its entry among those who wait ends: who is not listed any more is not told of a release. */
    private Duration whileListed() {
        return Duration.ofMillis(Settings.waiterMillis(Settings.millis(claim.lease())) / 2);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
