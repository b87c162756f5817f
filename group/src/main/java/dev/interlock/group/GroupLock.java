package dev.interlock.group;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockStatus;
import dev.interlock.ReleaseOutcome;
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

/** Several locks as one; see {@link MultiLock}. Thread-safe. */
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

    // ---- held by a thread

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
            holds.add(attempt(term, Deadline.ENDLESS).awaitUninterruptibly().orElseThrow());
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!reenter()) {
            holds.add(attempt(null, Deadline.ENDLESS).awaitInterruptibly().orElseThrow());
        }
    }

    @Override
    public boolean tryLock() {
        return reenter() || held(attempt(null, Deadline.ONCE).awaitUninterruptibly());
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return tryLock(Deadline.after(wait), null);
    }

    @Override
    public boolean tryLock(Duration wait, LeaseTerm term) throws InterruptedException {
        return tryLock(Deadline.after(wait), term);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)));
    }

    private boolean tryLock(Deadline deadline, @Nullable LeaseTerm term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return reenter() || held(attempt(term, deadline).awaitInterruptibly());
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
        if (holds.exit()) {
            lease.unlock();
        } else {
            lease.ensureNotLost();
        }
    }

    @Override
    public void lapse(Duration after) {
        GroupLease lease = holds.lease();
        if (lease == null) {
            throw notHeld();
        }
        if (holds.count() > 1) {
            throw new IllegalStateException("Lock " + name() + " is held " + holds.count()
                    + " times by this thread, and only its last hold can be left to lapse");
        }
        LockLostException loss = lease.firstLoss();
        ReleaseOutcome outcome = lease.lapse(after);
        var unused = holds.exit();
        lease.ensureNotLost(loss, outcome);
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

    // ---- held by a lease

    @Override
    public Lease acquire() throws InterruptedException {
        return acquire(Deadline.ENDLESS, null).orElseThrow();
    }

    @Override
    public Lease acquire(LeaseTerm term) throws InterruptedException {
        return acquire(Deadline.ENDLESS, term).orElseThrow();
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return attempt(null, Deadline.ONCE).awaitUninterruptibly().map(Function.identity());
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return acquire(Deadline.after(wait), null);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait, LeaseTerm term) throws InterruptedException {
        return acquire(Deadline.after(wait), term);
    }

    private Optional<Lease> acquire(Deadline deadline, @Nullable LeaseTerm term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return attempt(term, deadline).awaitInterruptibly().map(Function.identity());
    }

    @Override
    public CompletionStage<Lease> acquireAsync() {
        return async(null, Deadline.ENDLESS, Optional::orElseThrow);
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LeaseTerm term) {
        return async(term, Deadline.ENDLESS, Optional::orElseThrow);
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync() {
        return async(null, Deadline.ONCE, lease -> lease.map(Function.identity()));
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return async(null, Deadline.after(wait), lease -> lease.map(Function.identity()));
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait, LeaseTerm term) {
        return async(term, Deadline.after(wait), lease -> lease.map(Function.identity()));
    }

    private <T> CompletableFuture<T> async(
            @Nullable LeaseTerm term, Deadline deadline, Function<Optional<GroupLease>, T> maker) {
        return new GroupAcquire<>(name(), members.locks(), term, deadline, maker).start();
    }

    private GroupAcquire<Optional<GroupLease>> attempt(@Nullable LeaseTerm term, Deadline deadline) {
        return new GroupAcquire<>(name(), members.locks(), term, deadline, Function.identity());
    }

    // ---- status and administration

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
