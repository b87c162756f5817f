package dev.interlock.jdbc.claims;

import dev.interlock.jdbc.session.Parameters;
import dev.interlock.spi.Claim;

/** Lists a claim as waiting, or keeps it listed. */
final class Listing {

    private final NameState state;
    private final Claim claim;
    private final String channel;

    Listing(NameState state, Claim claim, String channel) {
        this.state = state;
        this.claim = claim;
        this.channel = channel;
    }

    /** Its place is where it has been, or where it would be if it had been here for as long as it has waited. */
    void keep() {
        ClaimRow row = state.listed(claim.owner().value()).orElse(null);
        if (row == null) {
            row = new ClaimRow(claim.owner().value(), Standing.WAITING, claim.mode());
            row.sinceMs = state.nowMs - Parameters.waitedMillis(claim);
            row.arrival = state.lined().stream()
                    .mapToLong(each -> each.arrival + 1)
                    .max()
                    .orElse(0);
            state.add(row);
        } else if (isAsAsked(row)) {
            return;
        }
        row.mode = claim.mode();
        row.standing = Standing.WAITING;
        row.channel = channel;
        row.lasts(state.nowMs, lengthMs());
        state.touch();
    }

    /** A look that finds all as it should be, and for long enough to ask again, writes nothing. */
    private boolean isAsAsked(ClaimRow row) {
        return row.standing == Standing.WAITING
                && row.mode.equals(claim.mode())
                && row.channel.equals(channel)
                && row.untilMs - state.nowMs >= leastMs();
    }

    /** Less than is left when the last but one question comes, and more than when the last does. */
    private long leastMs() {
        boolean woken = !claim.mode().inOrder() && !channel.isEmpty();
        return woken ? lengthMs() * 2 / (2 * Timing.ASKS_PER_LEASE - 1) : lengthMs() / 2;
    }

    private long lengthMs() {
        if (claim.mode().inOrder()) {
            return Timing.PLACE_MS;
        }
        return channel.isEmpty() ? Timing.LISTED_MS : Parameters.millis(claim.lease());
    }
}
