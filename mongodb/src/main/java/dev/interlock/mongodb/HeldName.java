package dev.interlock.mongodb;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * A lock, a read/write lock or a semaphore.
 *
 * <p>A lock that is freed is kept for a moment for the waiter whose turn it is: it does not hear of it before it asks,
 * and whoever asks next would have the name, most often the one that has just released it.
 */
final class HeldName extends Name {

    private final List<Entry> holders;
    private final List<Document> forced;
    private @Nullable Turn turn;

    /** Of a semaphore; 0 if it is not known. */
    private int capacity;

    /** Until when a capacity that was set is remembered. */
    private long rememberedUntil;

    HeldName(LockId id, Document document, long now) {
        super(id, document, now);
        holders = entries(document, "holders");
        holders.removeIf(holder -> holder.until() <= now);
        forced = new ArrayList<>(Fields.list(document, "forced", Document.class));
        forced.removeIf(mark -> Fields.millis(mark, "until") <= now);
        turn = Turn.read(document, now);
        rememberedUntil = Fields.millis(document, "remembered");
        capacity = isUnknown() ? 0 : (int) Fields.number(document, "capacity");
    }

    private boolean isUnknown() {
        return holders.isEmpty() && waiting.isEmpty() && rememberedUntil <= now;
    }

    @Override
    Decision acquire(Claim claim) {
        if (claim.mode() instanceof Mode.Resize resize) {
            capacity = resize.capacity();
            rememberedUntil = now + Millis.roundedUp(claim.lease());
            return Decision.granted(nextFence());
        }
        if (capacity == 0 && claim.mode() instanceof Mode.Permits permits) {
            capacity = permits.capacity();
        }
        OwnerId earlier = claim.replaces();
        if (earlier != null && replacedByOthers(claim, earlier.value())) {
            // However long it has waited: it lines up behind those who wait now.
            waiting.add(claim, Duration.ZERO, now);
            return new Decision(askAgain(claim), true);
        }
        Decision decision = ask(claim);
        return earlier == null ? decision : new Decision(decision.attempt(), true);
    }

    /**
     * Ends the earlier claim; whether it is somebody else's turn then. A claim that is in order lines up by its own
     * rule.
     */
    private boolean replacedByOthers(Claim claim, String earlier) {
        boolean ended = end(earlier);
        return ended && claim.waited() != null && !claim.mode().inOrder() && giveTurn(0);
    }

    private Decision ask(Claim claim) {
        Entry mine = holder(claim);
        if (mine == null) {
            if (!fits(claim)) {
                return busy(claim);
            }
            mine = Entry.of(claim, now, now, nextFence());
            holders.add(mine);
        }
        renew(mine, claim, claim.mode());
        waiting.remove(claim.owner().value());
        turn = null;
        return Decision.granted(mine.fence());
    }

    @Override
    @Nullable
    Attempt stillBusy(Claim claim) {
        boolean mayRest = holder(claim) == null && waiting.isFresh(claim, now) && !fits(claim);
        return mayRest ? askAgain(claim) : null;
    }

    /** The rule of {@link Mode}, and that of the turn. */
    private boolean fits(Claim claim) {
        Turn others = turn;
        if (others != null && !others.owner().equals(claim.owner().value())) {
            return false;
        }
        Stream<Entry> beside = holders.stream();
        if (claim.mode().inOrder()) {
            beside = Stream.concat(beside, waiting.aheadOf(claim, now).stream());
        }
        return fits(claim.mode(), beside.map(Entry::mode).toList());
    }

    private boolean fits(Mode mode, List<Mode> others) {
        if (mode instanceof Mode.Permits permits) {
            long taken = others.stream().mapToLong(HeldName::permits).sum();
            return permits.count() + taken <= capacity;
        }
        return mode instanceof Mode.Shared ? others.stream().allMatch(Mode.Shared.class::isInstance) : others.isEmpty();
    }

    private static long permits(Mode mode) {
        return mode instanceof Mode.Permits permits ? permits.count() : 0;
    }

    @Override
    boolean release(Claim claim) {
        String owner = claim.owner().value();
        boolean held = end(owner);
        if (held && claim.forced()) {
            forced.add(new Document("owner", owner).append("until", Fields.moment(now + Timing.FORCED_MS)));
        }
        giveTurn(Timing.TURN_MS);
        return held;
    }

    private boolean end(String owner) {
        waiting.remove(owner);
        if (turn != null && turn.owner().equals(owner)) {
            turn = null;
        }
        return holders.removeIf(holder -> holder.owner().equals(owner));
    }

    /**
     * Keeps a free lock for the first in the line, if it has waited for so long. One that is not in order leaves the
     * line, and lists itself again if it comes too late.
     */
    private boolean giveTurn(long patienceMillis) {
        Entry first = waiting.first();
        if (id.kind() != LockKind.LOCK || !holders.isEmpty() || turn != null || first == null) {
            return false;
        }
        if (now - first.since() < patienceMillis) {
            return false;
        }
        turn = new Turn(first.owner(), now + Timing.RESERVED_MS);
        if (!first.mode().inOrder()) {
            waiting.remove(first.owner());
        }
        return true;
    }

    @Override
    Renewal renew(Claim claim) {
        Entry mine = holder(claim);
        if (mine != null) {
            renew(mine, claim, mine.mode());
            return Renewal.HELD;
        }
        String owner = claim.owner().value();
        if (forced.stream().anyMatch(mark -> owner.equals(mark.get("owner")))) {
            return Renewal.FORCED;
        }
        List<Mode> modes = holders.stream().map(Entry::mode).toList();
        return fits(claim.mode(), modes) ? Renewal.DELETED : Renewal.TAKEN;
    }

    private void renew(Entry mine, Claim claim, Mode mode) {
        holders.set(holders.indexOf(mine), mine.renewed(mode, now + Millis.roundedUp(claim.lease())));
    }

    private @Nullable Entry holder(Claim claim) {
        return holders.stream()
                .filter(holder -> holder.owner().equals(claim.owner().value()))
                .findFirst()
                .orElse(null);
    }

    @Override
    List<String> called() {
        if (turn != null) {
            return List.of(turn.owner());
        }
        List<Mode> beside = new ArrayList<>(holders.stream().map(Entry::mode).toList());
        List<String> called = new ArrayList<>();
        for (Entry waiter : waiting.all()) {
            if (!fits(waiter.mode(), beside)) {
                break;
            }
            beside.add(waiter.mode());
            called.add(waiter.owner());
        }
        return called;
    }

    @Override
    boolean isIdle() {
        return isUnknown() && turn == null;
    }

    @Override
    @Nullable
    String sole() {
        boolean alone = holders.size() == 1 && waiting.isEmpty() && id.kind() != LockKind.SEMAPHORE;
        return alone ? holders.get(0).owner() : null;
    }

    @Override
    LockStatus status() {
        return new LockStatus(
                id.name(),
                id.kind(),
                holders.stream().map(holder -> holder.holder(now)).toList(),
                waiting.all().stream().map(waiter -> waiter.waiter(now)).toList(),
                id.kind() == LockKind.SEMAPHORE ? capacity : 1);
    }

    @Override
    void write(Document fields) {
        fields.append("holders", documents(holders)).append("forced", forced).append("turn", Turn.write(turn));
        if (id.kind() == LockKind.SEMAPHORE) {
            fields.append("capacity", capacity).append("remembered", Fields.moment(Math.max(0, rememberedUntil)));
        }
    }

    @Override
    long holdMillis(Claim claim) {
        return holders.stream().mapToLong(holder -> now - holder.since()).min().orElse(0);
    }

    @Override
    long leftMillis() {
        return holders.stream()
                .mapToLong(holder -> holder.until() - now)
                .min()
                .orElse(turn == null ? Timing.PLACE_MS : turn.until() - now);
    }
}
