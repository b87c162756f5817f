package dev.interlock.engine;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.engine.ThreadHolds.Hold;
import dev.interlock.spi.GroupMember;
import dev.interlock.spi.LockId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The two forms of a lock, or of one side of a read/write lock: thread-owned over {@link ThreadHolds}, handles straight
 * from {@link Acquisition}.
 */
final class EngineLock implements DistributedLock, GroupMember {

    private final EngineCore core;
    private final ThreadHolds holds;
    private final LockId id;
    private final LockOptions options;
    private final LockSide side;

    EngineLock(EngineCore core, ThreadHolds holds, LockId id, LockOptions options) {
        this(core, LockSide.plain(holds, options.isFair()), id, options);
    }

    EngineLock(EngineCore core, LockSide side, LockId id, LockOptions options) {
        this.core = core;
        this.side = side;
        this.holds = side.holds();
        this.id = id;
        this.options = options;
    }

    @Override
    public String name() {
        return id.name();
    }

    // ---- owned by a thread

    @Override
    public void lock() {
        lock(options.lease());
    }

    @Override
    public void lock(LeaseTerm term) {
        if (!reenter()) {
            holds.add(id, owned(term).uninterruptibly());
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lockInterruptibly(options.lease());
    }

    @Override
    public void lockInterruptibly(LeaseTerm term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!reenter()) {
            holds.add(id, owned(term).untilInterrupted());
        }
    }

    @Override
    public boolean tryLock() {
        return tryLock(options.lease());
    }

    @Override
    public boolean tryLock(LeaseTerm term) {
        return !isSelfExcluded() && (reenter() || held(owned(term).once()));
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return tryLock(wait, options.lease());
    }

    @Override
    public boolean tryLock(Duration wait, LeaseTerm term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return !isSelfExcluded() && (reenter() || held(owned(term).within(wait)));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)));
    }

    @Override
    public void unlock() {
        Hold hold = hold();
        EngineLease lease = hold.lease();
        if (!holds.leave(id, hold)) {
            lease.ensureNotLost();
            return;
        }
        ensureNotLost(lease, lease.letGo());
    }

    @Override
    public void lapse(Duration after) {
        Hold hold = hold();
        if (hold.count() > 1) {
            throw new IllegalStateException(side.of(id) + " is held " + hold.count()
                    + " times by this thread, and only its last hold can be left to lapse");
        }
        ReleaseOutcome outcome = hold.lease().lapse(after);
        holds.leave(id, hold);
        ensureNotLost(hold.lease(), outcome);
    }

    private static void ensureNotLost(EngineLease lease, ReleaseOutcome outcome) {
        LossCause cause = outcome.lossCause();
        if (cause != null) {
            throw lease.lostByRelease(cause);
        }
    }

    @Override
    public boolean isHeldByCurrentThread() {
        Hold hold = holds.find(id);
        return hold != null && hold.lease().isValid();
    }

    @Override
    public int holdCount() {
        Hold hold = holds.find(id);
        return hold == null ? 0 : hold.count();
    }

    @Override
    public Duration remainingLease() {
        Hold hold = holds.find(id);
        return hold == null ? Duration.ZERO : hold.lease().remaining();
    }

    @Override
    public Lease heldLease() {
        return hold().lease();
    }

    @Override
    public void adopt(Lease lease) {
        EngineLease own = (EngineLease) lease;
        own.adopted();
        holds.add(id, own);
    }

    @Override
    public @Nullable Lease leave() {
        Hold hold = hold();
        return holds.leave(id, hold) ? hold.lease() : null;
    }

    @Override
    public Supplier<@Nullable Lease> share() {
        return hold().share();
    }

    @Override
    public boolean isOtherSideHeld() {
        return side.isOtherHeld(id);
    }

    @Override
    public LockLostException lossOf(Lease lease, LossCause cause) {
        return ((EngineLease) lease).lostByRelease(cause);
    }

    private boolean reenter() {
        Hold hold = standingHold();
        if (hold == null) {
            side.refuseUpgrade(id);
            return false;
        }
        hold.lease().ensureValid();
        if (!options.isReentrant()) {
            throw new IllegalStateException(side.of(id) + " is not re-entrant, and thread "
                    + Waiter.describe(Thread.currentThread()) + " holds it: it would wait for itself for ever");
        }
        // Not if the last hold has just been undone elsewhere: then the lock is acquired anew.
        return hold.reenter();
    }

    /** The hold of this thread that stands in the way of a new one; null if there is none. */
    private @Nullable Hold standingHold() {
        if (options.forgetsLostHolds()) {
            side.forgetLost(id);
        }
        return holds.find(id);
    }

    /** Whether this thread holds the lock and so cannot get it. */
    private boolean isSelfExcluded() {
        Hold hold = standingHold();
        if (hold == null) {
            return side.isUpgrade(id);
        }
        if (options.isReentrant()) {
            return false;
        }
        hold.lease().ensureValid();
        return true;
    }

    private boolean held(@Nullable EngineLease lease) {
        if (lease == null) {
            return false;
        }
        holds.add(id, lease);
        return true;
    }

    private Hold hold() {
        Hold hold = holds.find(id);
        if (hold != null) {
            return hold;
        }
        String holder = core.arbiters().of(id).stream()
                .map(arbiter -> arbiter.holderThread(side.isShared()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        throw new IllegalMonitorStateException(side.of(id) + " is not held by thread "
                + Waiter.describe(Thread.currentThread()) + ": "
                + (holder == null
                        ? "no thread of this process holds it"
                        : "it was acquired by thread " + holder
                                + " of this process; what lock() acquired is unlocked by that thread, what acquire()"
                                + " returned is closed as a Lease"));
    }

    // ---- handles

    @Override
    public Lease acquire() throws InterruptedException {
        return acquire(options.lease());
    }

    @Override
    public Lease acquire(LeaseTerm term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return acquisition(term).untilInterrupted();
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return tryAcquire(options.lease());
    }

    @Override
    public Optional<Lease> tryAcquire(LeaseTerm term) {
        return Optional.ofNullable(acquisition(term).once());
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait, options.lease());
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait, LeaseTerm term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return Optional.ofNullable(acquisition(term).within(wait));
    }

    @Override
    public CompletionStage<Lease> acquireAsync() {
        return acquireAsync(options.lease());
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LeaseTerm term) {
        return acquisition(term).async();
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync() {
        return tryAcquireAsync(options.lease());
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseTerm term) {
        return acquisition(term).asyncOnce();
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return tryAcquireAsync(wait, options.lease());
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait, LeaseTerm term) {
        return acquisition(term).asyncWithin(wait);
    }

    private Acquisition acquisition(LeaseTerm term) {
        return new Acquisition(core, new Request(id, side.mode(), options, term));
    }

    /** An acquisition for the calling thread, which may hold the write lock and want the read lock. */
    private Acquisition owned(LeaseTerm term) {
        return new Acquisition(core, new Request(id, side.mode(), options, term, side.writeLease(id)));
    }

    // ---- status

    @Override
    public boolean isLocked() {
        return inspect().isLocked();
    }

    @Override
    public LockStatus inspect() {
        return new Administration(core).inspect(id);
    }

    @Override
    public String toString() {
        return side.type() + "[name=" + id.printable() + "]";
    }
}
