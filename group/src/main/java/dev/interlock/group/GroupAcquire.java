package dev.interlock.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.GroupMember;
import dev.interlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to acquire all members, which are in the order of their names.
 *
 * <pre>
 *   1. Request all missing members at the same time, without waiting.
 *   2. If all are held: done.
 *   3. Otherwise let b be the first that is not free. Release all members behind b, wait for b, and go to 1.
 * </pre>
 *
 * <p>A caller that waits holds only members before the one that it waits for. In a cycle of callers that wait for each
 * other, at least one would hold a member behind the one it waits for, so there is no cycle. Members that are requested
 * out of order are never waited for: other callers miss them only until the stores have answered. No caller tries for
 * ever: each pass through the steps ends with one more member held, which the caller has waited for in that member's
 * queue. (If a lease ends while the caller waits for another member, that member is requested again in one more pass.)
 *
 * <pre>
 *           .------ the wait has ended ------- WAITING
 *           v                                     ^
 *   NEW -> TRYING --- some are busy --------------'
 *           | ^
 *           | '------ the terms have begun --- EXTENDING
 *           |                                     ^
 *           |-------- all are held, at different ages: their fixed terms begin again
 *           |-------- refused or failed -----> RELEASING ---> DONE
 *           '-------- all are held ---------------------------> DONE
 * </pre>
 *
 * <p>WAITING fails as TRYING does. Each state becomes DONE when the caller gives up or its time is over.
 *
 * <p>Thread-safe. The monitor guards the state, the leases that are held, and the open requests. It is not held while
 * anything is called or completed.
 *
 * @param <T> the caller's result, made from the lease, or from nothing if the locks were refused
 */
final class GroupAcquire<T> {

    private enum State {
        /** Nothing has been requested. */
        NEW,
        /** All missing members are requested, without waiting. */
        TRYING,
        /** One member is waited for, and only members before it are held. */
        WAITING,
        /** All members are held, and their fixed terms are begun again at the same time. */
        EXTENDING,
        /** The members are being released; then the caller gets its refusal or failure. */
        RELEASING,
        /** The caller has its result. Leases that arrive now are released. */
        DONE;

        private Set<State> successors() {
            return switch (this) {
                case NEW -> Set.of(TRYING, DONE);
                case TRYING -> Set.of(TRYING, WAITING, EXTENDING, RELEASING, DONE);
                case WAITING -> Set.of(TRYING, EXTENDING, RELEASING, DONE);
                case EXTENDING -> Set.of(TRYING, DONE);
                case RELEASING -> Set.of(DONE);
                case DONE -> Set.of();
            };
        }
    }

    private final String name;
    private final List<DistributedLock> members;
    private final @Nullable LeaseTerm term;
    private final Deadline deadline;

    /** How long the caller waits for the first answers. */
    private final Duration patience;

    private final Function<Optional<GroupLease>, T> maker;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    @GuardedBy("this")
    private State state = State.NEW;

    /** Leases by the number of their member. */
    @GuardedBy("this")
    private final NavigableMap<Integer, Lease> held = new TreeMap<>();

    /** Requests without an answer, by the number of their member. */
    @GuardedBy("this")
    private final Map<Integer, CompletableFuture<?>> open = new HashMap<>();

    /** Failures of the last requests, by the number of their member. */
    @GuardedBy("this")
    private final NavigableMap<Integer, Throwable> failures = new TreeMap<>();

    /** Whether the caller has waited since the leases were of the same age. */
    @GuardedBy("this")
    private boolean aged;

    /** Whether another caller was seen to hold a member: if the time runs out then, no store is to blame. */
    private volatile boolean contended;

    /** The answer of a member: granted, busy, or a failure. */
    private record Answer(int member, boolean granted, @Nullable Throwable failure) {}

    GroupAcquire(
            String name,
            List<DistributedLock> members,
            @Nullable LeaseTerm term,
            Deadline deadline,
            Function<Optional<GroupLease>, T> maker) {
        this.name = name;
        this.members = members;
        this.term = term;
        this.deadline = deadline;
        this.patience = deadline.left().plusNanos(Deadline.GRACE_NANOS);
        this.maker = maker;
    }

    // ---- for the caller

    /**
     * Begins. When the time is over, a thread ends the attempt. If the future is cancelled, all members are released.
     */
    CompletableFuture<T> start() {
        start(requests -> {});
        if (!deadline.isEndless() && !result.isDone()) {
            CompletableFuture<Void> timer = new CompletableFuture<>();
            var unused = result.whenComplete((made, failure) -> timer.complete(null));
            // The timer thread of futures must not run actions that depend on the result.
            var unusedToo = timer.orTimeout(deadline.left().toNanos() + Deadline.GRACE_NANOS, TimeUnit.NANOSECONDS)
                    .exceptionallyCompose(timeout -> GroupThreads.run(() -> {
                        timeOut();
                        return null;
                    }));
        }
        return result;
    }

    /** Begins, and waits in the caller's thread until the deadline. An interrupt ends the wait. */
    T awaitInterruptibly() throws InterruptedException {
        return await(true);
    }

    /** Begins, and waits in the caller's thread until the deadline. An interrupt is kept for later. */
    T awaitUninterruptibly() {
        try {
            return await(false);
        } catch (InterruptedException e) {
            throw new AssertionError("An uninterruptible wait was interrupted", e);
        }
    }

    private T await(boolean interruptible) throws InterruptedException {
        boolean interrupted = false;
        // If all members are free, no other thread has anything to do.
        start(this::awaitAnswers);
        try {
            while (true) {
                try {
                    return awaitResult();
                } catch (InterruptedException e) {
                    if (interruptible && result.cancel(false)) {
                        throw e;
                    }
                    // The result came first and counts. The interrupt is kept for the next blocking call.
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private T awaitResult() throws InterruptedException {
        try {
            if (deadline.isEndless()) {
                return result.get();
            }
            try {
                return result.get(deadline.left().toNanos() + Deadline.GRACE_NANOS, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                timeOut();
                return result.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                // Another thread threw it; the caller's own stack trace is more useful.
                cause.fillInStackTrace();
                throw cause;
            }
            throw new IllegalStateException("Lock " + name + " could not be requested", e.getCause());
        }
    }

    // ---- the three steps

    private void start(Consumer<List<CompletionStage<?>>> meanwhile) {
        var unused = result.whenComplete((made, failure) -> end());
        tryMissing(meanwhile);
    }

    /** Steps 1 and 2. Between the requests and their answers, calls {@code meanwhile} with the requests. */
    private void tryMissing(Consumer<List<CompletionStage<?>>> meanwhile) {
        List<Integer> missing = missing();
        if (missing.isEmpty()) {
            finish();
            return;
        }
        if (!moveTo(State.TRYING)) {
            return;
        }
        List<CompletionStage<?>> requests = new ArrayList<>(missing.size());
        for (int member : missing) {
            requests.add(request(member, this::tryOnce));
        }
        meanwhile.accept(requests);
        List<CompletableFuture<Answer>> answers = new ArrayList<>(missing.size());
        for (int i = 0; i < missing.size(); i++) {
            answers.add(answer(missing.get(i), requests.get(i)));
        }
        var unused = CompletableFuture.allOf(answers.toArray(new @Nullable CompletableFuture<?>[0]))
                .thenRun(() ->
                        decide(answers.stream().map(CompletableFuture::join).toList()));
    }

    private void tryMissing() {
        tryMissing(requests -> {});
    }

    private void decide(List<Answer> answers) {
        int first = -1;
        for (Answer answer : answers) {
            contended = contended || (!answer.granted() && answer.failure() == null);
            first = first < 0 && !answer.granted() ? answer.member() : first;
        }
        Throwable failure = failure();
        if (first < 0) {
            tryMissing();
        } else if (deadline.once() || deadline.left().isZero() || isFinal(failure)) {
            refuse(failure);
        } else {
            waitFor(first);
        }
    }

    /** Step 3. */
    private void waitFor(int member) {
        if (!moveTo(State.WAITING)) {
            return;
        }
        releaseInBackground(takeFrom(member));
        var unused = answer(member, request(member, this::tryUntilDeadline)).thenAccept(answer -> {
            if (answer.granted()) {
                tryMissing();
            } else {
                refuse(failure());
            }
        });
    }

    /** All are held. A fixed term begins for all of them now, also for members that were acquired before a wait. */
    private void finish() {
        LeaseTerm fixed = term;
        if (fixed != null && !fixed.isRenewing() && isAged()) {
            if (moveTo(State.EXTENDING)) {
                // If an extension fails, the lease is as long as before, or lost and then requested again.
                var unused = Leases.extend(leases(), fixed.length()).whenComplete((done, failure) -> tryMissing());
            }
            return;
        }
        List<Lease> all;
        synchronized (this) {
            if (!moveTo(State.DONE)) {
                return;
            }
            all = List.copyOf(held.values());
            held.clear();
        }
        // False if the caller gave up a moment ago: then nobody else knows of the leases.
        if (!result.complete(maker.apply(Optional.of(new GroupLease(name, all))))) {
            releaseInBackground(all);
        }
    }

    /**
     * Releases all members, and then completes the caller's result: with the failure, or as refused if that is null.
     */
    private void refuse(@Nullable Throwable failure) {
        if (!moveTo(State.RELEASING)) {
            return;
        }
        var unused = Leases.releaseAsync(takeFrom(0)).whenComplete((done, ignored) -> {
            if (failure == null) {
                result.complete(maker.apply(Optional.empty()));
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    /**
     * The time is over before the stores have answered, or before members are released after an answer that ends the
     * attempt. The releases may take longer than the caller has, so its failure does not wait for them.
     */
    void timeOut() {
        Throwable failure = failure();
        if (failure == null && !contended && isAnyStoreSilent()) {
            failure = new StoreUnavailableException(
                    "Lock " + name + ": not every store answered until the wait was over", null);
        }
        if (failure == null) {
            result.complete(maker.apply(Optional.empty()));
        } else {
            result.completeExceptionally(failure);
        }
    }

    /** What the answers say against the attempt. The silence of a store counts only if no member is busy. */
    private @Nullable Throwable failure() {
        List<Throwable> all;
        synchronized (this) {
            all = List.copyOf(failures.values());
        }
        return all.stream()
                .filter(GroupAcquire::isFinal)
                .findFirst()
                .or(() -> contended ? Optional.empty() : all.stream().findFirst())
                .orElse(null);
    }

    /** Whether it would be the same if the store answered. */
    private static boolean isFinal(@Nullable Throwable failure) {
        return failure != null && !(failure instanceof StoreUnavailableException);
    }

    /** Whether a member has not answered whose store is silent, and not only late. */
    private boolean isAnyStoreSilent() {
        List<Integer> unanswered;
        synchronized (this) {
            unanswered = List.copyOf(open.keySet());
        }
        return unanswered.stream().anyMatch(member -> ((GroupMember) members.get(member)).isStoreSilent(patience));
    }

    /** The caller has its result, or has given up. */
    private void end() {
        List<CompletableFuture<?>> requests;
        List<Lease> leases;
        synchronized (this) {
            moveTo(State.DONE);
            requests = List.copyOf(open.values());
            leases = List.copyOf(held.values());
            held.clear();
        }
        requests.forEach(request -> request.cancel(false));
        releaseInBackground(leases);
    }

    // ---- the request to one member

    private CompletionStage<Optional<Lease>> tryOnce(DistributedLock member) {
        LeaseTerm given = term;
        return given == null ? member.tryAcquireAsync() : member.tryAcquireAsync(Duration.ZERO, given);
    }

    private CompletionStage<?> tryUntilDeadline(DistributedLock member) {
        LeaseTerm given = term;
        if (deadline.isEndless()) {
            return given == null ? member.acquireAsync() : member.acquireAsync(given);
        }
        return given == null ? member.tryAcquireAsync(deadline.left()) : member.tryAcquireAsync(deadline.left(), given);
    }

    private CompletionStage<?> request(int member, Function<DistributedLock, CompletionStage<?>> how) {
        try {
            return how.apply(members.get(member));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Waits in the caller's thread for the answers, as long as none fails and there is time. This thread then handles
     * the answers itself and needs no executor.
     */
    private void awaitAnswers(List<CompletionStage<?>> requests) {
        try {
            for (CompletionStage<?> request : requests) {
                // The future of the stage itself would be completed by another thread.
                Future<?> future = request instanceof Future<?> itself ? itself : request.toCompletableFuture();
                var unused = future.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            // For the wait that follows.
            Thread.currentThread().interrupt();
        } catch (ExecutionException | CancellationException | TimeoutException e) {
            // A failure is an answer, too, and a missing answer is waited for elsewhere.
        }
    }

    private CompletableFuture<Answer> answer(int member, CompletionStage<?> sent) {
        CompletableFuture<?> request = sent.toCompletableFuture();
        boolean late;
        synchronized (this) {
            late = state == State.DONE;
            open.put(member, request);
            if (state == State.WAITING) {
                failures.clear();
            } else {
                failures.remove(member);
            }
        }
        if (late) {
            // The caller gave up between the check before the request and this one.
            request.cancel(false);
        }
        return request.handle((value, failure) -> record(member, value, failure));
    }

    private Answer record(int member, @Nullable Object value, @Nullable Throwable failure) {
        Object got = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        Throwable cause = LockStore.causeOf(failure);
        boolean late;
        synchronized (this) {
            open.remove(member);
            late = state == State.DONE;
            if (cause != null) {
                failures.put(member, cause);
                // The member that was waited for knows whether it was busy until now: then it does not fail.
                contended = contended && state != State.WAITING;
            }
            if (got instanceof Lease lease && !late) {
                held.put(member, lease);
            }
        }
        if (got instanceof Lease lease && late) {
            releaseInBackground(List.of(lease));
        }
        return new Answer(member, got != null, cause);
    }

    // ---- the state

    /**
     * The only place that changes the state.
     *
     * @return false if the caller has its result already
     */
    private synchronized boolean moveTo(State next) {
        if (state == State.DONE) {
            return false;
        }
        if (!state.successors().contains(next)) {
            throw new IllegalStateException("Lock " + name + ": an attempt cannot go from " + state + " to " + next);
        }
        state = next;
        aged = next == State.WAITING || (aged && next != State.EXTENDING);
        return true;
    }

    private synchronized boolean isAged() {
        return aged;
    }

    private synchronized List<Lease> leases() {
        return List.copyOf(held.values());
    }

    /** The members without a valid lease, in order. After the end these are all. */
    private synchronized List<Integer> missing() {
        List<Integer> missing = new ArrayList<>();
        for (int member = 0; member < members.size(); member++) {
            Lease lease = held.get(member);
            if (lease == null || !lease.isValid()) {
                held.remove(member);
                missing.add(member);
            }
        }
        return missing;
    }

    /** Takes the leases of this member and all behind it. */
    private synchronized List<Lease> takeFrom(int member) {
        NavigableMap<Integer, Lease> behind = held.tailMap(member, true);
        List<Lease> taken = List.copyOf(behind.values());
        behind.clear();
        return taken;
    }

    private static void releaseInBackground(List<Lease> leases) {
        if (!leases.isEmpty()) {
            var unused = Leases.releaseAsync(leases);
        }
    }
}
