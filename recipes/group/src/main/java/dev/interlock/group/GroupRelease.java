package dev.interlock.group;

import dev.interlock.ReleaseOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The common outcome of the releases of all members. A thread that waits for it waits for the future of each member
 * first. That thread then completes those futures itself, and this one with the last of them. So it needs no thread of
 * the callback executor, and may be the only thread of that executor.
 */
final class GroupRelease extends CompletableFuture<ReleaseOutcome> {

    private final List<CompletableFuture<ReleaseOutcome>> members;

    /**
     * @param members the futures of the members; not copies, which would be completed by other threads
     * @param sum the common outcome, completed after all members
     */
    GroupRelease(List<CompletableFuture<ReleaseOutcome>> members, CompletableFuture<ReleaseOutcome> sum) {
        this.members = members;
        var unused = sum.whenComplete((outcome, failure) -> {
            if (failure == null) {
                complete(outcome);
            } else {
                completeExceptionally(failure);
            }
        });
    }

    @Override
    public ReleaseOutcome join() {
        for (CompletableFuture<ReleaseOutcome> member : members) {
            if (!isDone()) {
                var unused = member.join();
            }
        }
        return super.join();
    }

    @Override
    public ReleaseOutcome get() throws InterruptedException, ExecutionException {
        for (CompletableFuture<ReleaseOutcome> member : members) {
            if (!isDone()) {
                var unused = member.get();
            }
        }
        return super.get();
    }

    @Override
    public ReleaseOutcome get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        long beganNanos = System.nanoTime();
        long timeoutNanos = unit.toNanos(timeout);
        for (CompletableFuture<ReleaseOutcome> member : members) {
            if (!isDone()) {
                var unused = member.get(left(timeoutNanos, beganNanos), TimeUnit.NANOSECONDS);
            }
        }
        return super.get(left(timeoutNanos, beganNanos), TimeUnit.NANOSECONDS);
    }

    private static long left(long timeoutNanos, long beganNanos) {
        return Math.max(0, timeoutNanos - (System.nanoTime() - beganNanos));
    }
}
