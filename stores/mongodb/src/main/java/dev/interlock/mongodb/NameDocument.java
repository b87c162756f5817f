package dev.interlock.mongodb;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.support.rules.Entry;
import dev.interlock.support.rules.Holder;
import dev.interlock.support.rules.Mark;
import dev.interlock.support.rules.NameRules;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The document of one name, as it was read at one moment of the server's clock: docs/internals/mongodb-format.md
 * describes its fields. Times are milliseconds of that clock. Immutable.
 *
 * <p>A waiter that has been woken and is not in order is left out of the document: nobody has to reckon with it before
 * it asks again. So the document does not say who has been woken; whoever could be granted when it was read is not
 * woken again, except by a release.
 *
 * @param version the version that was read: a write succeeds only as long as it stands
 * @param state what the document says, without what is over
 * @param now the time at which it was read
 * @param isSetBack whether the server's clock has been set back since it was written: the document has something that
 *     would last longer than it was made for, and the state does not
 */
record NameDocument(long version, NameState state, long now, boolean isSetBack) {

    /** The value of the field {@code sole} if nobody holds or waits, and the fence only needs to be counted on. */
    static final String FREE = "";

    /** The field with the waiters that the last write has woken, which change streams carry to their clients. */
    static final String WOKEN = "woken";

    static final String OWNERS = "owners";

    /** The fields of a name that are read. */
    static final List<String> FIELDS = List.of(
            "version",
            "fence",
            "sole",
            "holders",
            "waiters",
            "forced",
            "turn",
            "capacity",
            "remembered",
            "count",
            "known",
            "setter",
            "counted",
            "taken",
            "seen");

    /** How many claims a name may have: their entries are read at once, and a document has an end. */
    static final int MOST_CLAIMS = 10_000;

    private static final Map<String, Mode> MODES = Map.of(
            "exclusive", Mode.exclusive(), "fair", Mode.fair(), "shared", Mode.shared(), "zero", new Mode.AwaitZero());

    /** A clock that seems to be set back by less is one that was read a moment ago: that costs no write. */
    private static final long SET_BACK_MS = 1_000;

    /** How long a free lock is reserved: two polls of the first waiter. */
    private static final int RESERVED_MS = 150;

    /** The microseconds of a clock count up to the year 2223, so that a wrong clock cannot use up all fences. */
    private static final long LARGEST_TIME = 8_000_000_000_000_000L;

    /** Fences follow the clock: so they are above those of a document that was removed long ago. */
    static final NameRules RULES =
            new NameRules(TimeUnit.MILLISECONDS, RESERVED_MS, true, now -> Math.min(now * 1_000, LARGEST_TIME));

    /**
     * Whether this state is the one that was read: then there is nothing to write. After a clock was set back there is:
     * what would be shortened at each reading, and never written, would never end.
     */
    // The rules return the same object if nothing changes.
    @SuppressWarnings("ReferenceEquality")
    boolean isStill(NameState next) {
        return next == state && !isSetBack;
    }

    /** Whether this state has another claim beyond the most that a name may have. */
    boolean isOutgrownBy(NameState next) {
        int claims = next.holders().size() + next.waiters().size();
        return claims > MOST_CLAIMS
                && claims > state.holders().size() + state.waiters().size();
    }

    // ---- reading

    /**
     * Reads the document of this name.
     *
     * @throws IllegalStateException if it has something that this version does not know
     */
    static NameDocument read(LockId id, Document document, long now) {
        try {
            boolean isFree = FREE.equals(document.get("sole"));
            long kept = Fields.millis(document, id.kind() == LockKind.LATCH ? "known" : "remembered");
            NameState state = new NameState(
                    id,
                    isFree ? List.of() : holders(document),
                    isFree ? List.of() : waiters(document),
                    marks(document),
                    Fields.amount(document, id.kind() == LockKind.LATCH ? "count" : "capacity"),
                    kept,
                    Fields.number(document, "fence"));
            boolean isSetBack =
                    outlasts(state.holders(), now) || outlasts(state.waiters(), now) || outlasts(state.marks(), now);
            return new NameDocument(Fields.number(document, "version"), RULES.expire(state, now), now, isSetBack);
        } catch (IllegalStateException e) {
            throw new StoreRefusal("The store has unknown data under '" + id.printable() + "': " + e.getMessage(), e);
        }
    }

    private static boolean outlasts(List<? extends Entry<?>> entries, long now) {
        return entries.stream().anyMatch(each -> each.until() - now - SET_BACK_MS > each.lasts());
    }

    private static List<Holder> holders(Document document) {
        return Fields.list(document, "holders", Document.class).stream()
                .map(entry -> holder(entry, document))
                .toList();
    }

    /** A holder that took a free name counts its lease from the moment of that, and has the document's fence. */
    static Holder holder(Document entry, Document document) {
        boolean took = !(entry.get("since") instanceof Date);
        long since = Fields.millis(took ? document : entry, took ? "taken" : "since");
        long until = took ? later(since, Fields.number(entry, "lease")) : Fields.millis(entry, "until");
        long fence = Fields.number(took ? document : entry, "fence");
        return new Holder(owner(entry), party(entry), mode(entry), since, until, lease(entry), fence);
    }

    /** The length that the end of this entry was computed with. Earlier versions have not written it. */
    private static long lease(Document entry) {
        long lease = Fields.number(entry, "lease");
        return lease > 0 ? lease : NameState.UNKNOWN;
    }

    /** A lease that is too long for a number of milliseconds has no end; it is not over. */
    private static long later(long since, long lease) {
        return lease > Long.MAX_VALUE - since ? Long.MAX_VALUE : since + lease;
    }

    private static List<Waiter> waiters(Document document) {
        List<Waiter> waiters = new ArrayList<>();
        for (Document entry : Fields.list(document, "waiters", Document.class)) {
            long since = Fields.millis(entry, "since");
            long until = Fields.millis(entry, "until");
            int arrival = waiters.size();
            waiters.add(new Waiter(
                    owner(entry), party(entry), mode(entry), since, arrival, until, lease(entry), "", false));
        }
        waiters.sort(Comparator.comparingLong(Waiter::since));
        return waiters;
    }

    private static List<Mark> marks(Document document) {
        List<Mark> marks = new ArrayList<>();
        for (Document mark : Fields.list(document, "forced", Document.class)) {
            marks.add(new Mark(Mark.Kind.FORCED, owner(mark), Fields.millis(mark, "until"), lease(mark)));
        }
        if (document.get("turn") instanceof Document turn) {
            marks.add(new Mark(Mark.Kind.RESERVED, owner(turn), Fields.millis(turn, "until"), lease(turn)));
        } else if (document.get("turn") != null) {
            throw Fields.unknown("turn");
        }
        // As long as the latch is known.
        long known = Long.MAX_VALUE;
        if (document.get("setter") instanceof String setter) {
            marks.add(new Mark(Mark.Kind.SETTER, new OwnerId(setter), known, NameState.UNKNOWN));
        }
        for (String owner : Fields.list(document, "counted", String.class)) {
            marks.add(new Mark(Mark.Kind.COUNTED, new OwnerId(owner), known, NameState.UNKNOWN));
        }
        return marks;
    }

    private static OwnerId owner(Document entry) {
        return new OwnerId(Fields.text(entry, "owner"));
    }

    private static Party party(Document entry) {
        return new Party(
                Fields.text(entry, "host", Party.UNKNOWN.host()),
                Fields.number(entry, "pid"),
                Fields.text(entry, "application", ""),
                Fields.text(entry, "thread", ""));
    }

    private static Mode mode(Document entry) {
        String word = Fields.text(entry, "mode");
        if (word.equals("permits")) {
            return new Mode.Permits(Fields.count(entry, "permits"), Fields.count(entry, "of"));
        } else if (MODES.containsKey(word)) {
            return MODES.get(word);
        }
        throw new StoreRefusal(
                "The mode of an entry must be one of this version's: mode=" + word + "; a newer version wrote it");
    }

    // ---- writing

    /**
     * All fields of the document, as they are to be.
     *
     * @param woken the owners of the claims that this write wakes
     */
    Document fields(NameState next, List<OwnerId> woken) {
        List<Waiter> queue = next.waiters().stream().filter(Waiter::isQueued).toList();
        Document fields = new Document("version", version + 1)
                .append("fence", next.fence())
                .append("sole", sole(next, queue))
                .append("waiters", queue.stream().map(NameDocument::entry).toList());
        if (!woken.isEmpty()) {
            // The version makes it another value each time: what stays the same is no change.
            List<String> owners = woken.stream().map(OwnerId::value).toList();
            fields.append(WOKEN, new Document(OWNERS, owners).append("version", version + 1));
        }
        if (next.id().kind() == LockKind.LATCH) {
            List<Document> setters = marks(next, Mark.Kind.SETTER);
            List<Document> counted = marks(next, Mark.Kind.COUNTED);
            return fields.append("count", next.count())
                    .append("known", Fields.moment(next.keptUntil()))
                    .append("setter", setters.isEmpty() ? null : setters.get(0).get("owner"))
                    .append(
                            "counted",
                            counted.stream().map(each -> each.get("owner")).toList());
        }
        List<Document> reserved = marks(next, Mark.Kind.RESERVED);
        List<Document> holders =
                next.holders().stream().map(NameDocument::entry).toList();
        fields.append("holders", holders)
                .append("forced", marks(next, Mark.Kind.FORCED))
                .append("turn", reserved.isEmpty() ? null : reserved.get(0));
        if (next.id().kind() == LockKind.SEMAPHORE) {
            fields.append("capacity", next.count()).append("remembered", Fields.moment(next.keptUntil()));
        }
        return fields;
    }

    /**
     * A name that was never granted is not free to take: its fence would begin at 0, below that of a removed document.
     */
    private static @Nullable String sole(NameState next, List<Waiter> queue) {
        if (next.isIdle()) {
            return next.fence() > 0 ? FREE : null;
        }
        boolean isAlone =
                next.holders().size() == 1 && queue.isEmpty() && next.id().kind() != LockKind.SEMAPHORE;
        return isAlone ? next.holders().get(0).owner().value() : null;
    }

    private static List<Document> marks(NameState state, Mark.Kind kind) {
        return state.marks().stream()
                .filter(mark -> mark.kind() == kind)
                .map(mark -> new Document("owner", mark.owner().value())
                        .append("until", Fields.moment(mark.until()))
                        .append("lease", mark.lasts()))
                .toList();
    }

    private static Document entry(Holder holder) {
        return entry(holder.owner(), holder.mode(), holder.party(), holder.since(), holder.until(), holder.lasts())
                .append("fence", holder.fence());
    }

    private static Document entry(Waiter waiter) {
        return entry(waiter.owner(), waiter.mode(), waiter.party(), waiter.since(), waiter.until(), waiter.lasts());
    }

    private static Document entry(OwnerId owner, Mode mode, Party party, long since, long until, long lease) {
        return entry(owner, mode, party)
                .append("since", Fields.moment(since))
                .append("until", Fields.moment(until))
                .append("lease", lease);
    }

    /** The entry of a claim that takes a free name, when the server's time is not known yet. */
    static Document taking(Claim claim) {
        // Rounded up: a lease in the store never ends before the one in its client.
        return entry(claim.owner(), claim.mode(), claim.party())
                .append("lease", claim.lease().plusNanos(999_999).toMillis());
    }

    private static Document entry(OwnerId owner, Mode mode, Party party) {
        Document entry = new Document("owner", owner.value());
        if (mode instanceof Mode.Permits permits) {
            entry.append("mode", "permits").append("permits", permits.count()).append("of", permits.capacity());
        } else {
            MODES.forEach((word, each) -> entry.append("mode", each.equals(mode) ? word : entry.get("mode")));
        }
        return entry.append("host", party.host())
                .append("pid", party.pid())
                .append("application", party.application())
                .append("thread", party.thread());
    }
}
