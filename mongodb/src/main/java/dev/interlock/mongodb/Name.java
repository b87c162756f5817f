package dev.interlock.mongodb;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What the store knows of one name: its document, read at one moment of the server's clock, changed by the rules of its
 * kind and written back. What is over at that moment is not there any more. Times are milliseconds of the server's
 * clock. Confined to one verb.
 */
abstract class Name {

    /**
     * What the field {@code sole} says of a name that nobody holds and nobody waits for, and whose fence only needs to
     * be counted on.
     */
    static final String FREE = "";

    final LockId id;
    final long now;
    final Line waiting;
    private final long version;
    private long fence;

    /** Whose turn it has been already. */
    private Set<String> calledBefore = Set.of();

    Name(LockId id, Document document, long now) {
        this.id = id;
        this.now = now;
        this.version = Fields.number(document, "version");
        this.fence = Fields.number(document, "fence");
        this.waiting = new Line(entries(document, "waiters"));
        waiting.expire(now);
    }

    /**
     * Reads the document of this name.
     *
     * @throws IllegalStateException if it has what this version does not know
     */
    static Name read(LockId id, Document document, long now) {
        try {
            return known(id, document, now);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "The store has unknown data under '" + id.name() + "': " + e.getMessage(), e);
        }
    }

    private static Name known(LockId id, Document document, long now) {
        Name name = id.kind() == LockKind.LATCH ? new LatchName(id, document, now) : new HeldName(id, document, now);
        name.calledBefore = Set.copyOf(name.called());
        return name;
    }

    /**
     * Whoever can be granted is told after this, again if need be: one that was told may be the one that gives up, and
     * its time over.
     */
    final void tellAnew() {
        calledBefore = Set.of();
    }

    /** The version that was read: only while it stands may be written. */
    final long version() {
        return version;
    }

    /**
     * The fence of the next grant: above all before, and above those of a document that was removed long ago, which is
     * what the microseconds are for.
     */
    final long nextFence() {
        if (fence >= Attempt.LARGEST_FENCE) {
            throw new IllegalStateException("The document of '" + id.name()
                    + "' has a fence that no client gives, and that leaves no larger one: fence=" + fence);
        }
        fence = Math.max(fence + 1, now * 1_000);
        return fence;
    }

    /**
     * Whether the document has been granted: until then its next fence is not the one after this, but the first of
     * {@link #nextFence}.
     */
    private boolean hasFence() {
        return fence > 0;
    }

    /** Grants the claim; or lists it, if it waits. */
    abstract Decision acquire(Claim claim);

    /**
     * The answer to a claim that asks again and is not to be granted yet, with nothing to be written; null if it must
     * be looked at closer.
     */
    abstract @Nullable Attempt stillBusy(Claim claim);

    /** Ends the claim, held or listed; whether it was held. */
    abstract boolean release(Claim claim);

    /** Sets the lease anew, if the claim is held. */
    abstract Renewal renew(Claim claim);

    /** Whether nobody holds, waits or is to be remembered. */
    abstract boolean isIdle();

    /** The owners of those who wait and could be granted now, longest waiting first. */
    abstract List<String> called();

    /** The owner of the one claim that holds, if nothing else is known of the name; else null. */
    abstract @Nullable String sole();

    abstract LockStatus status();

    /** Writes what this kind knows besides. */
    abstract void write(Document fields);

    /** All fields, as they are to be. */
    final Document fields() {
        Document fields = new Document("version", version + 1)
                .append("fence", fence)
                .append("sole", isIdle() && hasFence() ? FREE : sole())
                .append("waiters", documents(waiting.all()));
        List<String> woken = new ArrayList<>(called());
        woken.removeAll(calledBefore);
        if (!woken.isEmpty()) {
            fields.append(Woken.FIELD, Woken.of(woken, version + 1));
        }
        write(fields);
        return fields;
    }

    /** The answer to a claim that comes too late, which is listed if it waits. */
    final Decision busy(Claim claim) {
        Duration waited = claim.waited();
        if (waited != null) {
            waiting.add(claim, waited, now);
        }
        return new Decision(askAgain(claim), waited != null);
    }

    /** When to ask again, according to who is ahead. */
    final Attempt askAgain(Claim claim) {
        double jitter = ThreadLocalRandom.current().nextDouble();
        return Attempt.busy(
                Polling.retryAfter(ahead(claim), claim.mode().inOrder(), holdMillis(claim), leftMillis(), jitter));
    }

    /** When to ask again if no turn is heard of: what has been missed is found out then. */
    final Attempt askAgainUnheard() {
        return Attempt.busy(
                Polling.unheard(leftMillis(), ThreadLocalRandom.current().nextDouble()));
    }

    /** How many are served before the claim. */
    int ahead(Claim claim) {
        return waiting.aheadOf(claim, now).size();
    }

    /** For how long what the claim waits for has lasted. */
    abstract long holdMillis(Claim claim);

    /** When it is over at the latest. */
    abstract long leftMillis();

    static List<Entry> entries(Document document, String field) {
        List<Entry> entries = new ArrayList<>();
        if (!FREE.equals(document.get("sole"))) {
            for (Document entry : Fields.list(document, field, Document.class)) {
                entries.add(Entry.read(entry, document));
            }
        }
        return entries;
    }

    static List<Document> documents(List<Entry> entries) {
        return entries.stream().map(Entry::toDocument).toList();
    }

    /**
     * What becomes of an acquire.
     *
     * @param attempt the answer
     * @param isChange whether it is to be written first
     */
    record Decision(Attempt attempt, boolean isChange) {
        static Decision granted(long fence) {
            return new Decision(Attempt.granted(fence), true);
        }
    }
}
