package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The count of a latch, and who waits for zero. Who has set it and who has counted is remembered, so that a repeated
 * request does nothing.
 */
final class LatchEntry implements NameEntry {

    private final LockId id;
    private final WaitingList waiting = new WaitingList();
    private final Set<OwnerId> counted = new HashSet<>();
    private @Nullable OwnerId setter;
    private int count;
    private boolean known;
    private long until;

    LatchEntry(LockId id) {
        this.id = id;
    }

    @Override
    public LockId id() {
        return id;
    }

    @Override
    public Attempt acquire(Claim claim, long nextFence, long now) {
        long end = now + claim.lease().toNanos();
        until = known ? Math.max(until, end) : end;
        known = true;
        boolean granted = true;
        if (claim.mode() instanceof Mode.SetCount set) {
            granted = set(claim.owner(), set.count());
        } else if (claim.mode() instanceof Mode.CountDown) {
            if (count > 0 && counted.add(claim.owner())) {
                count--;
            }
        } else {
            granted = count == 0;
        }
        return granted ? granted(claim, nextFence) : busy(claim, now);
    }

    private boolean set(OwnerId owner, int newCount) {
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

    private Attempt granted(Claim claim, long nextFence) {
        waiting.remove(claim.owner());
        return Attempt.granted(nextFence);
    }

    private Attempt busy(Claim claim, long now) {
        Duration waited = claim.waited();
        if (waited != null) {
            waiting.add(claim, waited, now);
        }
        return Attempt.busy(waiting.retryAfter(claim, Long.MAX_VALUE));
    }

    @Override
    public Attempt lineUp(Claim claim, long now) {
        return busy(claim, now);
    }

    @Override
    public boolean end(OwnerId owner, boolean byForce, long now) {
        waiting.remove(owner);
        return false;
    }

    @Override
    public List<OwnerId> toWake() {
        return count > 0
                ? List.of()
                : waiting.inOrder().stream().map(WaitingList.Entry::owner).toList();
    }

    @Override
    public Renewal renew(Claim claim, long now) {
        return Renewal.DELETED;
    }

    @Override
    public LockStatus status(long now) {
        List<LockStatus.Waiter> waiters =
                waiting.inOrder().stream().map(entry -> entry.describe(now)).toList();
        return new LockStatus(id.name(), id.kind(), List.of(), waiters, count);
    }

    @Override
    public void expire(long now) {
        waiting.expire(now);
        if (known && now - until >= 0) {
            count = 0;
            setter = null;
            counted.clear();
            known = false;
        }
    }

    @Override
    public boolean isEmpty() {
        return !known && waiting.isEmpty();
    }
}
