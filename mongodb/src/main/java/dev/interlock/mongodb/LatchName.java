package dev.interlock.mongodb;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A latch. Who has set it and who has counted since is remembered, so that a repeated request does nothing. */
final class LatchName extends Name {

    private final List<String> counted;
    private @Nullable String setter;
    private int count;
    private long knownUntil;

    LatchName(LockId id, Document document, long now) {
        super(id, document, now);
        long until = Fields.millis(document, "known");
        boolean known = until > now;
        knownUntil = known ? until : now;
        setter = known && document.get("setter") instanceof String owner ? owner : null;
        count = known ? (int) Fields.number(document, "count") : 0;
        counted = known ? new ArrayList<>(Fields.list(document, "counted", String.class)) : new ArrayList<>();
    }

    @Override
    Decision acquire(Claim claim) {
        knownUntil = Math.max(knownUntil, now + Millis.roundedUp(claim.lease()));
        String owner = claim.owner().value();
        boolean granted = true;
        if (claim.mode() instanceof Mode.SetCount set) {
            granted = set(owner, set.count());
        } else if (claim.mode() instanceof Mode.CountDown) {
            countDown(owner);
        } else {
            granted = count == 0;
        }
        if (!granted) {
            return busy(claim);
        }
        waiting.remove(owner);
        return Decision.granted(nextFence());
    }

    private boolean set(String owner, int newCount) {
        if (owner.equals(setter)) {
            return true;
        }
        if (count > 0) {
            return false;
        }
        count = newCount;
        setter = owner;
        counted.clear();
        return true;
    }

    private void countDown(String owner) {
        if (count > 0 && !counted.contains(owner)) {
            counted.add(owner);
            count--;
        }
    }

    @Override
    @Nullable
    Attempt stillBusy(Claim claim) {
        return count > 0 && waiting.isFresh(claim, now) ? askAgain(claim) : null;
    }

    @Override
    boolean release(Claim claim) {
        waiting.remove(claim.owner().value());
        return false;
    }

    @Override
    Renewal renew(Claim claim) {
        return Renewal.DELETED;
    }

    @Override
    List<String> called() {
        return count > 0 ? List.of() : waiting.all().stream().map(Entry::owner).toList();
    }

    @Override
    boolean isIdle() {
        return knownUntil <= now && waiting.isEmpty();
    }

    @Override
    @Nullable
    String sole() {
        return null;
    }

    @Override
    LockStatus status() {
        List<LockStatus.Waiter> waiters =
                waiting.all().stream().map(waiter -> waiter.waiter(now)).toList();
        return new LockStatus(id.name(), id.kind(), List.of(), waiters, count);
    }

    @Override
    void write(Document fields) {
        fields.append("count", count)
                .append("setter", setter)
                .append("counted", counted)
                .append("known", Fields.moment(knownUntil));
    }

    /** All are let go at the same moment. */
    @Override
    int ahead(Claim claim) {
        return 0;
    }

    /** The one that waits does not know when others count: it asks the less often, the longer it has waited. */
    @Override
    long holdMillis(Claim claim) {
        Duration waited = claim.waited();
        return waited == null ? 0 : waited.toMillis();
    }

    @Override
    long leftMillis() {
        return Timing.PLACE_MS;
    }
}
