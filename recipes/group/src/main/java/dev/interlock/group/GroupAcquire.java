package dev.interlock.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Printable;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to acquire all members, which are in the order of their names. A caller that tries once, or waits for
 * less than {@link Deadline#PATIENT}, goes <em>in order</em>: it requests a member only when it holds all before it.
 * Any other caller requests them <em>at once</em>:
 *
 * <pre>
 *   in order                                         at once
 *   1. Request the first missing member, without     1. Request all missing members at the same time, without waiting.
 *      waiting.
 *   2. If all are held: done. If this one is: go     2. If all are held: done.
 *      to 1.
 *   3. Otherwise wait for it, as long as there is    3. Otherwise let b be the first that is not free. Release all
 *      time. Refused: release all, and end. Else        members behind b, wait for b, and go to 1.
 *      go to 1.
 * </pre>
 *
 * <p><b>Nobody waits for ever.</b> A caller that waits holds only members before the one that it waits for. In a cycle
 * of callers that wait for each other, at least one would hold a member behind the one it waits for, so there is no
 * cycle. Each pass through the steps ends with one more member held, which the caller has waited for in that member's
 * queue. (If a lease ends while the caller waits for another member, that member is requested again in one more pass.)
 *
 * <p><b>One of those that try at the same time wins</b>, whatever sets of names they have. Suppose that all names are
 * free but for what callers in order hold, and that all of these are refused. Of the names at which one was refused let
 * n be the largest. Somebody held n at that moment, or, in a line that nobody overtakes, waited for it behind somebody
 * who held it. That holder is one of these callers, and went on from n to larger names only. So it was refused at a
 * larger one, against the choice of n, or it has all of its names: it has won. It does not matter for how long a caller
 * that is refused keeps what it holds, how late answers and releases are, or in which clients and stores the callers
 * and the names are. That is why there is no second request before the answer to the first: a caller that requests n
 * while it may be refused at a smaller name keeps others from n in vain, and nobody can tell its claim from that of a
 * winner. In two round trips (the first name alone, then the rest at once) one wins if all callers have the same names,
 * but of {a, b, c} and {b, c, d} each may keep the other from winning.
 *
 * <p><b>At once</b> a free group costs one round trip instead of one for each member. Members behind b are held out of
 * order until the stores have answered, and may keep a caller in order from them in vain. Then the caller at once is
 * the one that wins: that other caller gives back what it holds as soon as its store has answered, and the caller at
 * once waits in line for that. That is why it needs the time: for an answer, and a release.
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
 * <p>WAITING fails as TRYING does. Each state becomes DONE when the caller gives up. Time ends no state but RELEASING:
 * the members bound their answers themselves, and the first answer of a store is waited for, as with a single lock.
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
        /** All missing members are requested, or the first of them, without waiting. */
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

    /** Whether the leases are of different ages, because the caller has waited, or the stores are slow. */
    @GuardedBy("this")
    private boolean aged;

    /** Whether another caller was seen to hold a member: if the time runs out then, no store is to blame. */
    private volatile boolean contended;

    /**
     * The thread that waits for the result, if it does: it waits for each answer itself and takes the next step, so
     * that no executor has anything to do. Written before the attempt begins.
     */
    private @Nullable Thread caller;

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
        this.maker = maker;
    }

    // ---- for the caller

    /** Begins. If the future is cancelled, all members are released. */
    CompletableFuture<T> start() {
        var unused = result.whenComplete((made, failure) -> end());
        tryMissing();
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
        caller = Thread.currentThread();
        var unused = start();
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException e) {
                    if (interruptible && result.cancel(false)) {
                        throw e;
                    }
                    // The result came first and counts. The interrupt is kept for the next blocking call.
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                // Another thread threw it; the caller's own stack trace is more useful.
                cause.fillInStackTrace();
                throw cause;
            }
            throw new IllegalStateException("Lock " + Printable.of(name) + " could not be requested", e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---- the three steps

    private void tryMissing() {
        if (deadline.isShort()) {
            tryInOrder();
        } else {
            tryAtOnce();
        }
    }

    /** Steps 1 and 2, at once. */
    private void tryAtOnce() {
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
        awaitIfBlocked(requests);
        List<CompletableFuture<Answer>> answers = new ArrayList<>(missing.size());
        for (int i = 0; i < missing.size(); i++) {
            answers.add(answer(missing.get(i), requests.get(i)));
        }
        var unused = CompletableFuture.allOf(answers.toArray(new @Nullable CompletableFuture<?>[0]))
                .thenRun(() ->
                        decide(answers.stream().map(CompletableFuture::join).toList()));
    }

    /** Steps 1 and 2, in order: a loop, for there may be many members, and their answers may be there at once. */
    private void tryInOrder() {
        while (true) {
            boolean ended = hasEnded();
            List<Integer> missing = missing();
            if (missing.isEmpty()) {
                finish();
                return;
            }
            int next = missing.get(0);
            if (ended && deadline.left().isZero()) {
                refuse(new StoreUnavailableException(
                        "Lock " + name + " not acquired: the lease of member '"
                                + Printable.of(members.get(next).name())
                                + "' was over before the others were held; take a longer term",
                        null));
                return;
            }
            // What is held behind it would be held out of order.
            releaseInBackground(takeFrom(next));
            if (!moveTo(State.TRYING)) {
                return;
            }
            CompletionStage<?> request = request(next, this::tryOnce);
            awaitIfBlocked(List.of(request));
            CompletableFuture<Answer> answer = answer(next, request);
            if (!answer.isDone()) {
                var unused = answer.thenAccept(late -> decide(List.of(late)));
                return;
            }
            if (!answer.join().granted()) {
                decide(List.of(answer.join()));
                return;
            }
        }
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
        } else if (deadline.left().isZero() || isFinal(failure)) {
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
        CompletionStage<?> request = request(member, this::tryUntilDeadline);
        awaitIfBlocked(List.of(request));
        var unused = answer(member, request).thenAccept(answer -> {
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
     * The releases may take longer than the caller has.
     */
    private void refuse(@Nullable Throwable failure) {
        if (!moveTo(State.RELEASING)) {
            return;
        }
        CompletableFuture<?> released = Leases.releaseAsync(takeFrom(0));
        if (!deadline.once() && !deadline.isEndless() && !released.isDone()) {
            released = released.thenApply(Function.identity())
                    .orTimeout(deadline.left().toNanos() + Deadline.GRACE_NANOS, TimeUnit.NANOSECONDS)
                    // The timer thread of futures must not run actions that depend on the result.
                    .exceptionallyCompose(late -> GroupThreads.run(() -> null));
        }
        var unused = released.whenComplete((done, ignored) -> {
            if (failure == null) {
                result.complete(maker.apply(Optional.empty()));
            } else {
                result.completeExceptionally(failure);
            }
        });
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
        return given == null ? member.tryAcquireAsync() : member.tryAcquireAsync(given);
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

    /** If this is the caller's thread, waits for the answers, as long as none fails. */
    private void awaitIfBlocked(List<CompletionStage<?>> requests) {
        if (Thread.currentThread() != caller) {
            return;
        }
        try {
            for (CompletionStage<?> request : requests) {
                // The future of the stage itself would be completed by another thread.
                Future<?> future = request instanceof Future<?> itself ? itself : request.toCompletableFuture();
                var unused = future.get();
            }
        } catch (InterruptedException e) {
            // For the wait that follows. Other threads take the next steps.
            Thread.currentThread().interrupt();
        } catch (ExecutionException | CancellationException e) {
            // A failure is an answer, too.
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
                aged = aged || isOlder(held.firstEntry(), lease);
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
            throw new IllegalStateException(
                    "Lock " + Printable.of(name) + ": an attempt cannot go from " + state + " to " + next);
        }
        state = next;
        aged = next == State.WAITING || (aged && next != State.EXTENDING);
        return true;
    }

    private synchronized boolean isAged() {
        return aged;
    }

    /** Whether so much of a fixed term was over when the next member was acquired that it counts. */
    private boolean isOlder(Map.@Nullable Entry<Integer, Lease> first, Lease last) {
        LeaseTerm fixed = term;
        return first != null
                && fixed != null
                && !fixed.isRenewing()
                && last.remaining()
                                .minus(first.getValue().remaining())
                                .compareTo(fixed.length().dividedBy(10))
                        > 0;
    }

    private synchronized boolean hasEnded() {
        return held.values().stream().anyMatch(lease -> !lease.isValid());
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
