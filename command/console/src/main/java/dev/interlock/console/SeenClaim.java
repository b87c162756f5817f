package dev.interlock.console;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A claim, as the looks so far have seen it. Immutable: the next look makes the next one of it. Points in time are of
 * the console's clock.
 *
 * @param holds whether it holds; else it waits
 * @param owner the owner of the claim
 * @param party the process and thread
 * @param mode what it holds or waits for
 * @param left whether it was left to lapse
 * @param token its fencing token; 0 if it waits or has none
 * @param since since when it holds or waits, as the first look has computed it, so that it does not change
 * @param seen the last look that saw it
 * @param leaseEnd when its lease ends if nobody renews it; of a waiter the same as {@code seen}
 * @param longest the longest rest of its lease that was seen
 * @param renewed whether a renewal was seen
 */
record SeenClaim(
        boolean holds,
        String owner,
        Party party,
        Mode mode,
        boolean left,
        long token,
        Instant since,
        Instant seen,
        Instant leaseEnd,
        Duration longest,
        boolean renewed) {

    /** How much of each text of a party is kept: others have written it. */
    private static final int LONGEST_TEXT = 200;

    /** By how much the beginning of one and the same claim may seem to move from one look to the next. */
    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    /** A holder that a look at this moment has seen. */
    static SeenClaim of(LockStatus.Holder holder, Instant at, @Nullable SeenClaim before) {
        Instant since = at.minus(holder.heldFor());
        Instant end = at.plus(holder.remainingLease());
        Duration longest = holder.remainingLease();
        boolean renewed = false;
        boolean same = before != null && before.isContinuedBy(holder, since);
        if (same && before != null) {
            since = before.since;
            // A renewal moves the end by a third of the lease; a slow look by less.
            renewed =
                    before.renewed || Duration.between(before.leaseEnd, end).compareTo(before.longest.dividedBy(6)) > 0;
            longest = longest.compareTo(before.longest) > 0 ? longest : before.longest;
        }
        return new SeenClaim(
                true,
                holder.owner(),
                same && before != null ? before.party : shortened(holder.party()),
                holder.mode(),
                holder.isLeft(),
                holder.token(),
                since,
                at,
                end,
                longest,
                renewed);
    }

    /** A waiting claim that a look at this moment has seen. */
    static SeenClaim of(LockStatus.Waiter waiter, Instant at, @Nullable SeenClaim before) {
        Instant since = before == null ? at.minus(waiter.waitingFor()) : before.since;
        return new SeenClaim(
                false,
                waiter.owner(),
                before == null ? shortened(waiter.party()) : before.party,
                waiter.mode(),
                false,
                0,
                since,
                at,
                at,
                Duration.ZERO,
                false);
    }

    /** Another client library may use one owner for one hold after the other, without a token. */
    private boolean isContinuedBy(LockStatus.Holder holder, Instant itsSince) {
        return token == holder.token()
                && (token != 0 || Duration.between(since, itsSince).abs().compareTo(TOLERANCE) <= 0);
    }

    /** Whether this is the same hold or the same wait as that one. */
    boolean isSame(SeenClaim that) {
        return holds == that.holds && owner.equals(that.owner) && token == that.token && since.equals(that.since);
    }

    /** Whether it was renewed before and has less than half of its lease left: a renewal has not come. */
    boolean isAtRisk() {
        return renewed
                && !left
                && Duration.between(seen, leaseEnd).multipliedBy(2).compareTo(longest) < 0;
    }

    /** The permits of a semaphore that it holds or wants, else 0. */
    int permits() {
        return mode instanceof Mode.Permits permits ? permits.count() : 0;
    }

    /** In the shape of the API. */
    Map<String, Object> json(Instant now) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("owner", owner);
        putParty(json, party);
        json.put("mode", mode.toString());
        json.put("permits", permits());
        if (holds) {
            json.put("left", left);
        }
        json.put("since", Times.text(since));
        json.put(holds ? "heldForMillis" : "waitingForMillis", Times.millis(since, now));
        if (holds) {
            if (longest.compareTo(LockStatus.NO_END) < 0) {
                json.put("remainingLeaseMillis", Times.millis(now, leaseEnd));
            }
            json.put("token", String.valueOf(token));
            json.put("renewed", renewed);
            json.put("atRisk", isAtRisk());
        }
        return json;
    }

    /** Puts the four fields of a party. */
    static void putParty(Map<String, Object> json, Party party) {
        json.put("host", party.host());
        json.put("pid", party.pid());
        json.put("application", party.application());
        json.put("thread", party.thread());
    }

    /** A party with texts that are not too long to be kept. */
    static Party shortened(Party party) {
        return new Party(
                shortened(party.host()), party.pid(), shortened(party.application()), shortened(party.thread()));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…";
    }
}
