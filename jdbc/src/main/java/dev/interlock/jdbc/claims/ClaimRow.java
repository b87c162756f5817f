package dev.interlock.jdbc.claims;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.Comparator;

/**
 * One claim of a name, as it stands in the tables or will stand there. Times are in milliseconds of the database's
 * clock.
 */
final class ClaimRow {

    /** Who waits longest first; of two that have waited for as long, the one that arrived first. */
    static final Comparator<ClaimRow> ORDER =
            Comparator.<ClaimRow>comparingLong(row -> row.sinceMs).thenComparingLong(row -> row.arrival);

    final String owner;
    Standing standing;
    Mode mode;
    long fence;
    long sinceMs;
    long untilMs;

    /** How long it stands without being asked for again. */
    long leaseMs;

    long arrival;

    /** Where its client listens; empty if it does not, and polls. */
    String channel = "";

    /** Who it is; known only where it is to be told. */
    Party party = Party.UNKNOWN;

    /** Whether the tables have it. */
    boolean stored;

    /** Whether the tables have it otherwise. */
    boolean changed;

    ClaimRow(String owner, Standing standing, Mode mode) {
        this.owner = owner;
        this.standing = standing;
        this.mode = mode;
    }

    /** Sets when it ends, counted from now. */
    void lasts(long nowMs, long newLeaseMs) {
        untilMs = nowMs + newLeaseMs;
        leaseMs = newLeaseMs;
        changed = true;
    }

    boolean isOver(long nowMs) {
        return untilMs <= nowMs;
    }

    LockStatus.Holder holder(long nowMs) {
        return new LockStatus.Holder(
                owner, party, mode, age(nowMs), Duration.ofMillis(untilMs - nowMs), Attempt.token(fence));
    }

    LockStatus.Waiter waiter(long nowMs) {
        return new LockStatus.Waiter(owner, party, mode, age(nowMs));
    }

    /** A clock that was set back would make it negative. */
    private Duration age(long nowMs) {
        return Duration.ofMillis(Math.max(0, nowMs - sinceMs));
    }
}
