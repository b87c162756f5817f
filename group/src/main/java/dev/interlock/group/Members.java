package dev.interlock.group;

import dev.interlock.DistributedLock;
import dev.interlock.LockStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * The locks of a group, in the order in which every caller waits for them.
 *
 * @param locks in the order of their names, which differ
 * @param name the name of the group, for messages and events
 */
record Members(List<DistributedLock> locks, String name) {

    /** Sorts and checks the members. */
    static Members of(Collection<DistributedLock> locks) {
        List<DistributedLock> sorted = locks.stream()
                .sorted(Comparator.comparing(DistributedLock::name))
                .toList();
        if (sorted.isEmpty()) {
            throw new IllegalArgumentException("A lock of several locks must have at least one member: it has 0");
        }
        for (int i = 1; i < sorted.size(); i++) {
            String name = sorted.get(i).name();
            if (name.equals(sorted.get(i - 1).name())) {
                throw new IllegalArgumentException("The members of a lock must have different names, by which they are"
                        + " ordered: '" + name + "' comes twice; for one name in several stores take a quorum");
            }
        }
        return new Members(
                sorted, sorted.stream().map(DistributedLock::name).collect(Collectors.joining("', '", "['", "']")));
    }

    /**
     * Throws if this thread holds a member by itself. The group acquires handles of its members, which belong to no
     * thread, so the thread would wait for itself.
     */
    void ensureNoneHeldByThisThread() {
        for (DistributedLock lock : locks) {
            if (lock.holdCount() > 0) {
                throw new IllegalStateException(
                        "Thread '" + Thread.currentThread().getName() + "' holds lock '" + lock.name()
                                + "' by itself and would wait for itself: unlock it before locking " + name);
            }
        }
    }

    /** Forces the release of all members; true if any was held. */
    boolean forceUnlock() {
        boolean any = false;
        for (DistributedLock lock : locks) {
            any |= lock.forceUnlock();
        }
        return any;
    }

    /** Requests revocation of all members; true if any was held. */
    boolean requestRevocation() {
        boolean any = false;
        for (DistributedLock lock : locks) {
            any |= lock.requestRevocation();
        }
        return any;
    }

    CompletionStage<Boolean> requestRevocationAsync() {
        CompletionStage<Boolean> any = CompletableFuture.completedStage(false);
        for (DistributedLock lock : locks) {
            any = any.thenCombine(lock.requestRevocationAsync(), Boolean::logicalOr);
        }
        return any;
    }

    boolean isAnyLocked() {
        return locks.stream().anyMatch(DistributedLock::isLocked);
    }

    LockStatus inspect() {
        List<LockStatus.Holder> holders = new ArrayList<>();
        List<LockStatus.Waiter> waiters = new ArrayList<>();
        for (DistributedLock lock : locks) {
            LockStatus status = lock.inspect();
            holders.addAll(status.holders());
            waiters.addAll(status.waiters());
        }
        return new LockStatus(name, holders, waiters);
    }
}
