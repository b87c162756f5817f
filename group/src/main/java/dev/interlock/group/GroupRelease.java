package dev.interlock.group;

import dev.interlock.ReleaseOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What the releases of all members come to. A thread that blocks for it blocks for the future of each member first,
 * which that thread then completes itself, and this one with the last of them: so it needs no thread of the callback
 * executor, and may be the only one of that.
 */
final class GroupRelease extends CompletableFuture<ReleaseOutcome> {

    private final List<CompletableFuture<ReleaseOutcome>> members;

    /**
     * @param members the futures of the members, themselves and no copies
     * @param sum what they come to together, done when they are
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
