package dev.interlock.jdbc.claims;

import dev.interlock.jdbc.session.Parameters;
import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** When a claim that is busy asks again. */
final class Patience {

    private final NameState state;
    private final Claim claim;

    Patience(NameState state, Claim claim) {
        this.state = state;
        this.claim = claim;
    }

    /** If its client can be woken, or it does not wait: at the end of the first lease; to stay listed, earlier. */
    Duration untilFree() {
        long left = first().map(row -> row.untilMs - state.nowMs)
                .orElse(claim.mode().inOrder() ? Timing.ASK_MS : Timing.GAVE_TURN_MS);
        return Duration.ofMillis(claim.waited() == null ? left : Math.min(left, keepMs()));
    }

    /** One in order has a place to keep, any other only its name on the list: without it nobody wakes it. */
    private long keepMs() {
        return claim.mode().inOrder() ? Timing.ASK_MS : Parameters.millis(claim.lease()) / Timing.ASKS_PER_LEASE;
    }

    /** If its client polls. */
    Duration untilNextPoll() {
        int ahead = state.ahead(claim).size();
        Look look = first().map(row -> new Look(age(row), row.untilMs - state.nowMs, ahead))
                .orElseGet(() -> new Look(Parameters.waitedMillis(claim), Timing.ASK_MS, ahead));
        return Polling.retryAfter(look, ThreadLocalRandom.current().nextDouble());
    }

    /** A name that is kept for somebody is free soon. */
    private long age(ClaimRow row) {
        return row.standing == Standing.HELD ? state.nowMs - row.sinceMs : 0;
    }

    private Optional<ClaimRow> first() {
        return state.holders().stream().min(Comparator.comparingLong(row -> row.untilMs));
    }
}
