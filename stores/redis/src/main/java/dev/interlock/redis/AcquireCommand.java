package dev.interlock.redis;

import dev.interlock.redis.command.Reply;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import java.time.Duration;

/**
 * An acquire. A claim that may wait asks the server to list it if its client can be woken already. If not, it asks
 * without that, so that an acquire of a free lock does not wait for the connection for messages. Only a busy reply
 * opens that connection, and the caller receives the reply at once. The claim asks again, now to be listed, when it is
 * woken because the connection is open, or after a pause that is short at first.
 */
final class AcquireCommand extends ScriptCommand<Attempt> {

    /** When to ask again for a lock whose lease has no end. The engine's own poll comes earlier. */
    private static final Duration NO_END = Duration.ofMinutes(1);

    /** The first pause of a claim that could not be listed. Later ones are as long as it has waited. */
    private static final Duration SOON = Duration.ofMillis(20);

    private final Claim claim;
    private final WakeReceiver wakes;

    /** Whether the claim waits, but could not be woken when the command was sent. */
    private final boolean unlisted;

    private AcquireCommand(
            Router router, Claim claim, ScriptArguments arguments, WakeReceiver wakes, boolean unlisted) {
        super(router, arguments);
        this.claim = claim;
        this.wakes = wakes;
        this.unlisted = unlisted;
    }

    /**
     * Sends an acquire.
     *
     * @throws UnsupportedOperationException if the claim's kind does not have its mode
     */
    static AcquireCommand send(Router router, Claim claim, Settings settings, WakeReceiver wakes) {
        boolean waits = claim.waited() != null;
        String inbox = waits ? wakes.inboxIfSubscribed(claim) : null;
        boolean unlisted = waits && inbox == null;
        if (unlisted && claim.replaces() != null) {
            // A claim that replaces a held one is listed in any case: its client holds the lock itself.
            wakes.subscribe(claim);
            inbox = wakes.inbox(claim);
        }
        AcquireCommand call =
                new AcquireCommand(router, claim, AcquireArguments.of(claim, settings, inbox), wakes, unlisted);
        router.send(call);
        return call;
    }

    @Override
    String subject() {
        return "name=" + claim.id().printable();
    }

    /** Nothing is released that was never sent: so its wait ends here. */
    @Override
    public boolean withdraw() {
        boolean unsent = super.withdraw();
        if (unsent) {
            wakes.waitEnded(claim);
        }
        return unsent;
    }

    @Override
    void onResult(Reply answer) {
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
        if (unlisted && waited != null) {
            // Before the future completes: a caller that gives up ends the subscription afterwards.
            wakes.subscribe(claim);
            left = shorter(left, longer(SOON, waited));
        }
        if (!complete(Attempt.busy(left)) && unlisted) {
            wakes.waitEnded(claim);
        }
    }

    /** When to ask again so that the entry of the waiting claim does not end, after which no release would wake it. */
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
