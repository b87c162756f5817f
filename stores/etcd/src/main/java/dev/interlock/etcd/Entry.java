package dev.interlock.etcd;

import static dev.interlock.support.PercentEncoding.encode;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.support.UriOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A claim as its key shows it.
 *
 * @param key its key
 * @param owner its owner; of a claim of another client the last part of its key
 * @param party who it is; unknown for a claim of another client
 * @param mode what it claims
 * @param lease the lease that it began with
 * @param since when it was made, in milliseconds since 1970 by the clock of its client: for people; 0 if unknown
 */
record Entry(StoredKey key, String owner, Party party, Mode mode, Duration lease, long since) {

    /** Whoever shows a lease may count it in nanoseconds. */
    private static final Duration LONGEST_LEASE = Duration.ofNanos(Long.MAX_VALUE);

    /** What the key of a claim contains: text as the options of a URI. */
    static String of(Claim claim, long sinceMillis) {
        Party party = claim.party();
        Mode mode = claim.mode();
        String word = mode instanceof Mode.Permits permits
                ? "permits&permits=" + permits.count() + "&of=" + permits.capacity()
                : mode instanceof Mode.Shared ? "shared" : mode.inOrder() ? "fair" : "exclusive";
        return "owner=" + encode(claim.owner().value()) + "&mode=" + word + "&lease="
                + claim.lease().plusNanos(999_999).toMillis() + "ms&since=" + sinceMillis + "&host="
                + encode(party.host()) + "&pid=" + party.pid() + "&application=" + encode(party.application())
                + "&thread=" + encode(party.thread());
    }

    /** Reads a key of this name; one that this library has not written is a claim of the whole, or of one permit. */
    static Entry of(LockId id, StoredKey key) {
        try {
            UriOptions fields = UriOptions.parse("a claim", key.value());
            String owner = fields.text("owner");
            if (owner != null) {
                Party party = new Party(
                        text(fields, "host"),
                        number(fields, "pid"),
                        text(fields, "application"),
                        text(fields, "thread"));
                Duration lease = fields.duration("lease", Duration.ZERO);
                if (lease.isNegative() || lease.compareTo(LONGEST_LEASE) > 0) {
                    throw fields.invalid("lease", "must be from 0 to 292 years");
                }
                long since = Math.max(0, number(fields, "since"));
                return new Entry(key, owner, party, mode(id.kind(), fields), lease, since);
            }
        } catch (IllegalArgumentException e) {
            // Another client's.
        }
        String owner = key.name().substring(key.name().lastIndexOf('/') + 1);
        return new Entry(key, owner, Party.UNKNOWN, mode(id.kind(), UriOptions.parse("a claim", "")), Duration.ZERO, 0);
    }

    private static Mode mode(LockKind kind, UriOptions fields) {
        @Nullable String word = fields.text("mode");
        return switch (kind) {
            case LOCK -> "fair".equals(word) ? Mode.fair() : Mode.exclusive();
            case READ_WRITE -> "shared".equals(word) ? Mode.shared() : Mode.fair();
            case SEMAPHORE -> new Mode.Permits(fields.number("permits", 1, 1), fields.number("of", 1, 1));
            case LATCH -> new Mode.AwaitZero();
        };
    }

    private static String text(UriOptions fields, String name) {
        String text = fields.text(name);
        return text == null ? "" : text;
    }

    private static long number(UriOptions fields, String name) {
        return Long.parseLong(text(fields, name));
    }

    /** How many permits it claims; 1 of a lock. */
    int weight() {
        return mode instanceof Mode.Permits permits ? permits.count() : 1;
    }
}
