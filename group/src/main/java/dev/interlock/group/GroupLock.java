package dev.interlock.group;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All of several locks as one; see {@link MultiLock}. Thread-safe. */
final class GroupLock implements DistributedLock {

    private final Members members;
    private final GroupHolds holds = new GroupHolds();

    private GroupLock(Members members) {
        this.members = members;
    }

    /** See {@link MultiLock#of(Collection)}. */
    static DistributedLock of(Collection<? extends DistributedLock> locks) {
        List<DistributedLock> flat = new ArrayList<>();
        for (DistributedLock lock : locks) {
            if (lock instanceof GroupLock group) {
                flat.addAll(group.members.locks());
            } else {
                flat.add(lock);
            }
        }
        return new GroupLock(Members.of(flat));
    }

    @Override
    public String name() {
        return members.name();
    }

    // ---- owned by a thread

    @Override
    public void lock() {
        lockUninterruptibly(null);
    }

    @Override
    public void lock(LeaseTerm term) {
        lockUninterruptibly(term);
    }

    private void lockUninterruptibly(@Nullable LeaseTerm term) {
        if (!reenter()) {
            holds.add(blocked(term, Patience.ENDLESS).uninterruptibly().orElseThrow());
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!reenter()) {
            holds.add(blocked(null, Patience.ENDLESS).untilInterrupted().orElseThrow());
        }
    }

    @Override
    public boolean tryLock() {
        return reenter() || held(blocked(null, Patience.ONCE).uninterruptibly());
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return tryLock(Patience.of(wait), null);
    }

    @Override
    public boolean tryLock(Duration wait, LeaseTerm term) throws InterruptedException {
        return tryLock(Patience.of(wait), term);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)));
    }

    private boolean tryLock(Patience patience, @Nullable LeaseTerm term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return reenter() || held(blocked(term, patience).untilInterrupted());
    }

    private boolean reenter() {
        if (holds.reenter()) {
            return true;
        }
        members.ensureNoneHeldByThisThread();
        return false;
    }

    private boolean held(Optional<GroupLease> lease) {
        lease.ifPresent(holds::add);
        return lease.isPresent();
    }

    @Override
    public void unlock() {
        GroupLease lease = holds.lease();
        if (lease == null) {
            throw notHeld();
        }
        if (holds.leave()) {
            lease.unlock();
        } else {
            lease.ensureNotLost();
        }
    }

    @Override
    public boolean isHeldByCurrentThread() {
        GroupLease lease = holds.lease();
        return lease != null && lease.isValid();
    }

    @Override
    public int holdCount() {
        return holds.count();
    }

    @Override
    public Duration remainingLease() {
        GroupLease lease = holds.lease();
        return lease == null ? Duration.ZERO : lease.remaining();
    }

    @Override
    public Lease heldLease() {
        GroupLease lease = holds.lease();
        if (lease == null) {
            throw notHeld();
        }
        return lease;
    }

    private IllegalMonitorStateException notHeld() {
        return new IllegalMonitorStateException("Lock " + name() + " is not held by thread '"
                + Thread.currentThread().getName() + "' through this object; the thread that locked it must unlock it");
    }

    // ---- handles

    @Override
    public Lease acquire() throws InterruptedException {
        return acquire(Patience.ENDLESS, null).orElseThrow();
    }

    @Override
    public Lease acquire(LeaseTerm term) throws InterruptedException {
        return acquire(Patience.ENDLESS, term).orElseThrow();
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return blocked(null, Patience.ONCE).uninterruptibly().map(Function.identity());
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return acquire(Patience.of(wait), null);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait, LeaseTerm term) throws InterruptedException {
        return acquire(Patience.of(wait), term);
    }

    private Optional<Lease> acquire(Patience patience, @Nullable LeaseTerm term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return blocked(term, patience).untilInterrupted().map(Function.identity());
    }

    @Override
    public CompletionStage<Lease> acquireAsync() {
        return async(null, Patience.ENDLESS, Optional::orElseThrow);
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LeaseTerm term) {
        return async(term, Patience.ENDLESS, Optional::orElseThrow);
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync() {
        return async(null, Patience.ONCE, lease -> lease.map(Function.identity()));
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return async(null, Patience.of(wait), lease -> lease.map(Function.identity()));
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait, LeaseTerm term) {
        return async(term, Patience.of(wait), lease -> lease.map(Function.identity()));
    }

    private <T> CompletableFuture<T> async(
            @Nullable LeaseTerm term, Patience patience, Function<Optional<GroupLease>, T> maker) {
        return new Gathering<>(name(), members.locks(), term, patience, maker).startWithAlarm();
    }

    private BlockedGathering blocked(@Nullable LeaseTerm term, Patience patience) {
        return new BlockedGathering(new Gathering<>(name(), members.locks(), term, patience, Function.identity()));
    }

    // ---- looking on

    @Override
    public boolean forceUnlock() {
        return members.forceUnlock();
    }

    @Override
    public boolean requestRevocation() {
        return members.requestRevocation();
    }

    @Override
    public CompletionStage<Boolean> requestRevocationAsync() {
        return members.requestRevocationAsync();
    }

    @Override
    public boolean isLocked() {
        return members.isAnyLocked();
    }

    @Override
    public LockStatus inspect() {
        return members.inspect();
    }

    @Override
    public String toString() {
        return "DistributedLock[name=" + name() + "]";
    }
}
