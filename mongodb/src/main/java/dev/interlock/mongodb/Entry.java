package dev.interlock.mongodb;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import java.time.Duration;
import org.bson.Document;

/**
 * A claim in the document of its name: one that holds, or one that waits.
 *
 * @param since since when, in milliseconds of the server's clock
 * @param until until when
 * @param fence the fence of one that holds; 0 of one that waits
 */
record Entry(String owner, Mode mode, Party party, long since, long until, long fence) {

    static Entry of(Claim claim, long since, long until, long fence) {
        return new Entry(claim.owner().value(), claim.mode(), claim.party(), since, until, fence);
    }

    /** The same, in another mode and for another time. */
    Entry renewed(Mode newMode, long newUntil) {
        return new Entry(owner, newMode, party, since, newUntil, fence);
    }

    Document toDocument() {
        Document document = describe(owner, mode, party);
        document.append("since", Fields.moment(since)).append("until", Fields.moment(until));
        return fence == 0 ? document : document.append("fence", fence);
    }

    /**
     * How the claim is written when the server's time is not known yet: its lease counts from the moment {@code taken}
     * of the same document, which the server writes, and its fence is the document's.
     */
    static Document unstamped(Claim claim) {
        return describe(claim.owner().value(), claim.mode(), claim.party())
                .append("lease", Millis.roundedUp(claim.lease()));
    }

    /** Reads an entry of this document. */
    static Entry read(Document entry, Document whole) {
        long since = Fields.millis(entry, "since");
        long until = Fields.millis(entry, "until");
        if (since == Fields.NEVER) {
            long taken = Fields.millis(whole, "taken");
            return read(entry, taken, taken + Fields.number(entry, "lease"), Fields.number(whole, "fence"));
        }
        return read(entry, since, until, Fields.number(entry, "fence"));
    }

    private static Entry read(Document entry, long since, long until, long fence) {
        Party party = new Party(
                Fields.text(entry, "host", Party.UNKNOWN.host()),
                Fields.number(entry, "pid"),
                Fields.text(entry, "application", ""),
                Fields.text(entry, "thread", ""));
        return new Entry(Fields.text(entry, "owner"), Modes.read(entry), party, since, until, fence);
    }

    private static Document describe(String owner, Mode mode, Party party) {
        return Modes.write(mode, new Document("owner", owner))
                .append("host", party.host())
                .append("pid", party.pid())
                .append("application", party.application())
                .append("thread", party.thread());
    }

    LockStatus.Holder holder(long now) {
        return new LockStatus.Holder(
                owner,
                party,
                mode,
                Duration.ofMillis(Math.max(0, now - since)),
                Duration.ofMillis(Math.max(0, until - now)),
                Attempt.token(fence));
    }

    LockStatus.Waiter waiter(long now) {
        return new LockStatus.Waiter(owner, party, mode, Duration.ofMillis(Math.max(0, now - since)));
    }
}
