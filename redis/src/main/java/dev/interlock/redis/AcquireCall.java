package dev.interlock.redis;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An acquire. A claim that is to be listed as waiting goes out listed if its client can be woken already. If not, it is asked first without: a free lock
 * does not wait for the connection that wakes come from. Only a busy answer opens that, and then the question is asked again, listed: a release in between
 * is not missed.
 */
final class AcquireCall extends ScriptCall<Attempt> {

    private static final int KEYS = 3;

    /** Without that of who waits: the free lock, the common case, does not need it, and each word costs the server time. */
    private static final int KEYS_UNLISTED = 2;

    /** When to ask again for a lock whose lease has no end. Nobody waits as long: the engine's own poll comes first. */
    private static final Duration NO_END = Duration.ofMinutes(1);

    private final Claim claim;
    private final Settings settings;
    private final Wakes wakes;
    private boolean listed;

    private AcquireCall(Link link, Claim claim, Settings settings, Wakes wakes, boolean listed) {
        super(
                link,
                claim.replaces() == null ? Script.ACQUIRE : Script.REPLACE,
                listed || claim.replaces() != null ? KEYS : KEYS_UNLISTED,
                arguments(claim, settings, listed));
        this.claim = claim;
        this.settings = settings;
        this.wakes = wakes;
        this.listed = listed;
    }

    /** Asks. */
    static AcquireCall send(Link link, Claim claim, Settings settings, Wakes wakes) {
        boolean ready = claim.waited() != null && wakes.isReady(claim);
        AcquireCall call = new AcquireCall(link, claim, settings, wakes, ready || yields(claim));
        if (!ready && yields(claim)) {
            var unused = wakes.prepare(claim).whenComplete((up, failure) -> link.send(call));
        } else {
            link.send(call);
        }
        return call;
    }

    /** Such a claim is listed in any case, and before it can be asked whether the lock is free: it holds it itself. */
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
                again(KEYS, arguments(claim, settings, true));
            } else {
                complete(busy);
            }
        });
    }

    private static byte[][] arguments(Claim claim, Settings settings, boolean listed) {
        Keys keys = new Keys(claim.id().name());
        long lease = Settings.millis(claim.lease());
        byte[] owner = Text.of(claim.owner().value());
        byte[] leaseText = Text.of(lease);
        byte[] fenceText = Text.of(settings.fenceMillis(lease));
        byte[] party = PartyText.encode(claim.party());
        if (!listed && claim.replaces() == null) {
            return new byte[][] {keys.lock(), keys.fence(), owner, leaseText, fenceText, party};
        }
        List<byte[]> words =
                new ArrayList<>(List.of(keys.lock(), keys.fence(), keys.waiters(), owner, leaseText, fenceText, party));
        Duration waited = claim.waited();
        words.add(listed && waited != null ? Text.micros(waited) : Text.EMPTY);
        words.add(Text.of(Settings.waiterMillis(lease)));
        OwnerId earlier = claim.replaces();
        if (earlier != null) {
            words.add(Text.of(earlier.value()));
            if (settings.redissonInterop()) {
                words.add(keys.redissonChannel());
            }
        }
        return words.toArray(byte[][]::new);
    }
}
