package dev.interlock.group;

import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockStatus;
import dev.interlock.spi.GroupMember;
import dev.interlock.spi.Printable;
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

    /** This lock, which a thread may not lock while it holds the other side of {@code barrier}. */
    static DistributedLock unless(GroupMember barrier, DistributedLock lock) {
        return new GroupLock(new Members(List.of(lock), lock.name(), barrier));
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
        boolean held = members.areHeld()
                ? members.reenter(false)
                : hold(attempt(term, Deadline.ENDLESS).awaitUninterruptibly());
        assert held : name();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        interruptibly(null);
    }

    @Override
    public void lockInterruptibly(LeaseTerm term) throws InterruptedException {
        interruptibly(term);
    }

    private void interruptibly(@Nullable LeaseTerm term) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean held = members.areHeld()
                ? members.reenter(false)
                : hold(attempt(term, Deadline.ENDLESS).awaitInterruptibly());
        assert held : name();
    }

    @Override
    public boolean tryLock() {
        return tryOnce(null);
    }

    @Override
    public boolean tryLock(LeaseTerm term) {
        return tryOnce(term);
    }

    private boolean tryOnce(@Nullable LeaseTerm term) {
        return members.areHeld()
                ? members.reenter(true)
                : hold(attempt(term, Deadline.ONCE).awaitUninterruptibly());
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
        return members.areHeld()
                ? members.reenter(true)
                : hold(attempt(term, deadline).awaitInterruptibly());
    }

    private boolean hold(Optional<GroupLease> lease) {
        lease.ifPresent(acquired -> members.adopt(acquired.members()));
        return lease.isPresent();
    }

    @Override
    public void unlock() {
        ensureHeld();
        members.unlock();
    }

    @Override
    public void lapse(Duration after) {
        ensureHeld();
        members.lapse(after);
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return members.locks().stream().allMatch(DistributedLock::isHeldByCurrentThread);
    }

    @Override
    public int holdCount() {
        return members.holdCount();
    }

    @Override
    public Duration remainingLease() {
        return holdCount() == 0 ? Duration.ZERO : heldLease().remaining();
    }

    @Override
    public Lease heldLease() {
        ensureHeld();
        return new GroupLease(name(), members.leases());
    }

    private void ensureHeld() {
        if (holdCount() == 0) {
            throw new IllegalMonitorStateException("Lock " + Printable.of(name()) + " is not held by thread '"
                    + Printable.of(Thread.currentThread().getName())
                    + "', not all of it; the thread that locked it must unlock it");
        }
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
        return acquireOnce(null);
    }

    @Override
    public Optional<Lease> tryAcquire(LeaseTerm term) {
        return acquireOnce(term);
    }

    private Optional<Lease> acquireOnce(@Nullable LeaseTerm term) {
        return attempt(term, Deadline.ONCE).awaitUninterruptibly().map(Function.identity());
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
    public CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseTerm term) {
        return async(term, Deadline.ONCE, lease -> lease.map(Function.identity()));
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

    // ---- status

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
        return "DistributedLock[name=" + Printable.of(name()) + "]";
    }
}
