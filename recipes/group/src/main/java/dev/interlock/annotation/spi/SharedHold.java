package dev.interlock.annotation.spi;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.GroupMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a synchronous method and the transaction of its caller hold together. Whichever ends last releases it, by the
 * lease: a transaction may be completed by any thread, also while the method still runs, as by the time-out of a
 * transaction manager. Thread-safe.
 */
final class SharedHold {

    private final Held held;

    /** Each undoes one hold of the method: the lease to release, if that was the last. */
    private final List<Supplier<@Nullable Lease>> ofTheMethod;

    private final List<Supplier<@Nullable Lease>> ofTheTransaction;

    private SharedHold(
            Held held, List<Supplier<@Nullable Lease>> ofTheMethod, List<Supplier<@Nullable Lease>> ofTheTransaction) {
        this.held = held;
        this.ofTheMethod = ofTheMethod;
        this.ofTheTransaction = ofTheTransaction;
    }

    /** Has the transaction hold it besides the method, which holds it already. */
    static SharedHold with(CallerTransaction transaction, Interlock client, List<String> names, Held held) {
        SharedHold shared = of(held);
        transaction.watch(held.lease(), held.operation().annotation().onLost());
        boolean isLeft = transaction.share(
                client, held.operation().annotation().kind(), names, () -> shared.end(shared.ofTheTransaction));
        if (!isLeft) {
            // Completed on another thread just now: nobody else undoes its hold. The method still has its own.
            var unused = shared.end(shared.ofTheTransaction);
        }
        return shared;
    }

    private static SharedHold of(Held held) {
        if (held.members().isEmpty()) {
            AtomicInteger holds = new AtomicInteger(2);
            List<Supplier<@Nullable Lease>> either = List.of(() -> holds.decrementAndGet() == 0 ? held.lease() : null);
            return new SharedHold(held, either, either);
        }
        List<Supplier<@Nullable Lease>> ofTheMethod = new ArrayList<>();
        List<Supplier<@Nullable Lease>> ofTheTransaction = new ArrayList<>();
        for (DistributedLock lock : held.members()) {
            GroupMember member = (GroupMember) lock;
            ofTheMethod.add(member::leave);
            ofTheTransaction.add(member.share());
        }
        return new SharedHold(held, ofTheMethod, ofTheTransaction);
    }

    /** The method has ended, on its thread. */
    void leave() {
        var unused = end(ofTheMethod).join();
    }

    private CompletableFuture<?> end(List<Supplier<@Nullable Lease>> holds) {
        Duration left = held.operation().leftToLapse(held.acquiredNanos());
        List<CompletableFuture<ReleaseOutcome>> ended = new ArrayList<>();
        for (Supplier<@Nullable Lease> hold : holds) {
            Lease last = hold.get();
            if (last != null) {
                ended.add(LeaseEnd.quietly(last, left).toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(ended.toArray(CompletableFuture[]::new));
    }
}
