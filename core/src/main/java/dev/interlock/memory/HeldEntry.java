package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The claims of a lock, a read/write lock or a semaphore. */
final class HeldEntry implements NameEntry {

    /** How long the mark of a forced release is kept. */
    private static final long FORCED_NANOS = Duration.ofMinutes(1).toNanos();

    /** What a token is wider than a fence: the room for hand-overs inside a process. */
    private static final long TOKENS_PER_FENCE = 1024;

    private final LockId id;
    private final WaitingList waiting = new WaitingList();
    private final Map<OwnerId, Held> held = new LinkedHashMap<>();
    private final Map<OwnerId, Long> forcedUntil = new HashMap<>();

    /** Of a semaphore; 0 if it is not known. */
    private int capacity;

    /** Whether it was set, and is remembered for some time. */
    private boolean resized;

    private long resizedUntil;

    HeldEntry(LockId id) {
        this.id = id;
    }

    @Override
    public LockId id() {
        return id;
    }

    @Override
    public Attempt acquire(Claim claim, long nextFence, long now) {
        if (claim.mode() instanceof Mode.Resize resize) {
            capacity = resize.capacity();
            resized = true;
            resizedUntil = now + claim.lease().toNanos();
            return Attempt.granted(nextFence);
        }
        if (capacity == 0 && claim.mode() instanceof Mode.Permits permits) {
            capacity = permits.capacity();
        }
        Held mine = held.get(claim.owner());
        if (mine == null) {
            if (!fits(claim, now)) {
                return busy(claim, now);
            }
            mine = new Held(claim, now, nextFence);
            held.put(claim.owner(), mine);
        }
        mine.mode = claim.mode();
        mine.until = now + claim.lease().toNanos();
        waiting.remove(claim.owner());
        return Attempt.granted(mine.fence);
    }

    /** The rule of {@link Mode}. */
    private boolean fits(Claim claim, long now) {
        List<Mode> others = holding();
        if (claim.mode().inOrder()) {
            waiting.aheadOf(claim, now).forEach(entry -> others.add(entry.mode()));
        }
        return fits(claim.mode(), others);
    }

    private boolean fits(Mode mode, List<Mode> others) {
        if (mode instanceof Mode.Permits permits) {
            return permits.count()
                            + others.stream().mapToLong(HeldEntry::permits).sum()
                    <= capacity;
        }
        return mode instanceof Mode.Shared ? others.stream().allMatch(Mode.Shared.class::isInstance) : others.isEmpty();
    }

    private static long permits(Mode mode) {
        return mode instanceof Mode.Permits permits ? permits.count() : 0;
    }

    private List<Mode> holding() {
        List<Mode> modes = new ArrayList<>();
        held.values().forEach(holder -> modes.add(holder.mode));
        return modes;
    }

    private Attempt busy(Claim claim, long now) {
        Duration waited = claim.waited();
        if (waited != null) {
            waiting.add(claim, waited, now);
        }
        long left = held.values().stream()
                .mapToLong(holder -> holder.until - now)
                .min()
                .orElse(Long.MAX_VALUE);
        return Attempt.busy(waiting.retryAfter(claim, left));
    }

    @Override
    public Attempt lineUp(Claim claim, long now) {
        waiting.add(claim, Duration.ZERO, now);
        return Attempt.busy(Duration.ofMillis(100));
    }

    @Override
    public boolean end(OwnerId owner, boolean byForce, long now) {
        waiting.remove(owner);
        if (held.remove(owner) == null) {
            return false;
        }
        if (byForce) {
            forcedUntil.put(owner, now + FORCED_NANOS);
        }
        return true;
    }

    @Override
    public List<OwnerId> toWake() {
        List<OwnerId> woken = new ArrayList<>();
        List<Mode> others = holding();
        for (WaitingList.Entry entry : waiting.inOrder()) {
            if (!fits(entry.mode(), others)) {
                break;
            }
            others.add(entry.mode());
            woken.add(entry.owner());
            if (!entry.mode().inOrder()) {
                waiting.remove(entry.owner());
            }
        }
        return woken;
    }

    @Override
    public Renewal renew(Claim claim, long now) {
        Held mine = held.get(claim.owner());
        if (mine != null) {
            mine.until = now + claim.lease().toNanos();
            return Renewal.HELD;
        }
        if (forcedUntil.containsKey(claim.owner())) {
            return Renewal.FORCED;
        }
        return fits(claim.mode(), holding()) ? Renewal.DELETED : Renewal.TAKEN;
    }

    @Override
    public LockStatus status(long now) {
        return new LockStatus(
                id.name(),
                id.kind(),
                held.values().stream().map(holder -> holder.describe(now)).toList(),
                waiting.inOrder().stream().map(entry -> entry.describe(now)).toList(),
                id.kind() == LockKind.SEMAPHORE ? capacity : 1);
    }

    @Override
    public void expire(long now) {
        held.values().removeIf(holder -> now - holder.until >= 0);
        forcedUntil.values().removeIf(until -> now - until >= 0);
        waiting.expire(now);
        if (held.isEmpty() && waiting.isEmpty() && (!resized || now - resizedUntil >= 0)) {
            capacity = 0;
            resized = false;
        }
    }

    @Override
    public boolean isEmpty() {
        return held.isEmpty() && forcedUntil.isEmpty() && waiting.isEmpty() && !resized;
    }

    private static final class Held {
        final OwnerId owner;
        final Party party;
        final long since;
        final long fence;
        Mode mode;
        long until;

        Held(Claim claim, long since, long fence) {
            this.owner = claim.owner();
            this.party = claim.party();
            this.mode = claim.mode();
            this.since = since;
            this.fence = fence;
        }

        LockStatus.Holder describe(long now) {
            return new LockStatus.Holder(
                    owner.value(),
                    party,
                    mode,
                    Duration.ofNanos(now - since),
                    Duration.ofNanos(until - now),
                    fence * TOKENS_PER_FENCE);
        }
    }
}
