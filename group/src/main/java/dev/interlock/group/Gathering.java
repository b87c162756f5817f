package dev.interlock.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.DistributedLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to get all members, which stand in the order of their names.
 *
 * <pre>
 *   1. ask for all that are missing, at the same time, without waiting
 *   2. all got: done
 *   3. some are not free: let b be the first of these; give back all behind b; wait for b; go to 1
 * </pre>
 *
 * <p>Whoever waits holds only what comes before the lock it waits for. In a circle of callers that wait for each other,
 * one would hold a later lock than that it waits for: so there is no circle. What is asked for out of order is never
 * waited for, so it is kept from others only until the stores have answered. Nobody tries for ever either: each turn of
 * the loop ends with one more member held, in the queue of that member, where those who come later stand behind. (A
 * lease that ends while others are waited for is asked for again; that costs a turn more.)
 *
 * <p>Its own monitor guards what is held and what is on its way; it is not held while anybody is called.
 *
 * @param <T> what the caller gets: made from the lease, or from nothing if the locks were refused
 */
final class Gathering<T> {

    private final String name;
    private final List<DistributedLock> members;
    private final @Nullable LeaseTerm term;
    private final Patience patience;
    private final Function<Optional<GroupLease>, T> maker;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    /** Leases by the number of their member. */
    @GuardedBy("this")
    private final NavigableMap<Integer, Lease> held = new TreeMap<>();

    /** Requests without an answer, by the number of their member. */
    @GuardedBy("this")
    private final Map<Integer, CompletableFuture<?>> asked = new HashMap<>();

    /** Nothing is to be held any more: what comes late goes back. */
    @GuardedBy("this")
    private boolean over;

    /** Whether a member has been seen that another holds: then it is no fault of a store if the time runs out. */
    private volatile boolean contended;

    /** Whether a member has been waited for since the leases were of the same age. */
    private volatile boolean aged;

    /** A member's answer: got, busy, or a failure. */
    private record Answer(int member, boolean got, @Nullable Throwable failure) {}

    Gathering(
            String name,
            List<DistributedLock> members,
            @Nullable LeaseTerm term,
            Patience patience,
            Function<Optional<GroupLease>, T> maker) {
        this.name = name;
        this.members = members;
        this.term = term;
        this.patience = patience;
        this.maker = maker;
    }

    /** Begins, for a thread that waits: if all members are free, nothing is left to do for any other thread. */
    void start() {
        start(this::awaitHere);
    }

    private void start(Consumer<List<CompletionStage<?>>> meanwhile) {
        var unused = result.whenComplete((made, failure) -> end());
        askForMissing(meanwhile);
    }

    /** Begins, and ends by itself when its time is over. The future may be cancelled: then what was got goes back. */
    CompletableFuture<T> startWithAlarm() {
        start(requests -> {});
        if (!patience.isEndless() && !result.isDone()) {
            CompletableFuture<Void> alarm = new CompletableFuture<>();
            var unused = result.whenComplete((made, failure) -> alarm.complete(null));
            // The future's own timer thread must not run what depends on the result.
            var unusedToo = alarm.orTimeout(patience.left().toNanos() + Patience.GRACE_NANOS, TimeUnit.NANOSECONDS)
                    .exceptionallyCompose(timeout -> Errands.run(() -> {
                        overdue();
                        return null;
                    }));
        }
        return result;
    }

    /** Waits for the outcome, in the caller's thread, and not beyond its time. */
    T await() throws InterruptedException {
        try {
            if (patience.isEndless()) {
                return result.get();
            }
            try {
                return result.get(patience.left().toNanos() + Patience.GRACE_NANOS, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                overdue();
                return result.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                // It was thrown in another thread; the caller's own trace says more.
                cause.fillInStackTrace();
                throw cause;
            }
            throw new IllegalStateException("Lock " + name + " could not be asked for", e.getCause());
        }
    }

    /** Gives up; false if there is an outcome already, which then counts. */
    boolean giveUp() {
        return result.cancel(false);
    }

    // ---- the three steps

    private void askForMissing() {
        askForMissing(requests -> {});
    }

    /** Asks, does something else, and then takes the answers. */
    private void askForMissing(Consumer<List<CompletionStage<?>>> meanwhile) {
        if (isOver()) {
            // What was answered late has gone back, and would look like missing.
            return;
        }
        List<Integer> missing = missing();
        if (missing.isEmpty()) {
            finish();
            return;
        }
        List<CompletionStage<?>> requests = new ArrayList<>(missing.size());
        for (int member : missing) {
            requests.add(ask(member, this::tryOnce));
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

    private void decide(List<Answer> answers) {
        if (isOver()) {
            return;
        }
        Throwable silence = null;
        int first = -1;
        for (Answer answer : answers) {
            if (answer.failure() instanceof StoreUnavailableException) {
                silence = answer.failure();
            } else if (answer.failure() != null) {
                refuse(answer.failure());
                return;
            } else if (!answer.got()) {
                contended = true;
            }
            first = first < 0 && !answer.got() ? answer.member() : first;
        }
        if (first < 0) {
            askForMissing();
        } else if (patience.once() || patience.left().isZero()) {
            refuse(contended ? null : silence);
        } else {
            giveBack(takeFrom(first));
            waitFor(first);
        }
    }

    private void waitFor(int member) {
        aged = true;
        var unused = answer(member, ask(member, this::tryPatiently)).thenAccept(answer -> {
            if (answer.got()) {
                askForMissing();
            } else {
                refuse(answer.failure());
            }
        });
    }

    /** All are held. A fixed term begins for all of them now, also for those that were acquired a wait ago. */
    private void finish() {
        LeaseTerm fixed = term;
        if (aged && fixed != null && !fixed.isRenewing()) {
            aged = false;
            // If it fails, the lease is as long as before, or lost, and then asked for again.
            var unused = Leases.extend(leases(), fixed.length()).whenComplete((done, failure) -> askForMissing());
            return;
        }
        List<Lease> all;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            all = List.copyOf(held.values());
            held.clear();
        }
        // Loses to a caller that gave up a moment ago: then nobody else knows of the leases.
        if (!result.complete(maker.apply(Optional.of(new GroupLease(name, all))))) {
            giveBack(all);
        }
    }

    // ---- asking one member

    private CompletionStage<Optional<Lease>> tryOnce(DistributedLock member) {
        LeaseTerm given = term;
        return given == null ? member.tryAcquireAsync() : member.tryAcquireAsync(Duration.ZERO, given);
    }

    private CompletionStage<?> tryPatiently(DistributedLock member) {
        LeaseTerm given = term;
        if (patience.isEndless()) {
            return given == null ? member.acquireAsync() : member.acquireAsync(given);
        }
        return given == null ? member.tryAcquireAsync(patience.left()) : member.tryAcquireAsync(patience.left(), given);
    }

    private CompletionStage<?> ask(int member, Function<DistributedLock, CompletionStage<?>> how) {
        try {
            return how.apply(members.get(member));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Waits in the caller's thread until there are answers, as long as all is well and there is time: then it takes
     * them itself, and no executor is needed.
     */
    private void awaitHere(List<CompletionStage<?>> requests) {
        try {
            for (CompletionStage<?> request : requests) {
                // To ask for its future would make it complete by itself.
                Future<?> future = request instanceof Future<?> itself ? itself : request.toCompletableFuture();
                var unused = future.get(patience.left().toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            // For the wait that follows.
            Thread.currentThread().interrupt();
        } catch (ExecutionException | CancellationException | TimeoutException e) {
            // An answer like others, or none in time.
        }
    }

    private CompletableFuture<Answer> answer(int member, CompletionStage<?> asked) {
        CompletableFuture<?> request = asked.toCompletableFuture();
        onItsWay(member, request);
        return request.handle((answer, failure) -> answered(member, answer, failure));
    }

    private void onItsWay(int member, CompletableFuture<?> request) {
        boolean late;
        synchronized (this) {
            late = over;
            asked.put(member, request);
        }
        if (late) {
            request.cancel(false);
        }
    }

    private Answer answered(int member, @Nullable Object answer, @Nullable Throwable failure) {
        Object got = answer instanceof Optional<?> optional ? optional.orElse(null) : answer;
        boolean late;
        synchronized (this) {
            asked.remove(member);
            late = over;
            if (got instanceof Lease lease && !late) {
                held.put(member, lease);
            }
        }
        if (got instanceof Lease lease && late) {
            giveBack(List.of(lease));
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return new Answer(member, got != null, cause);
    }

    // ---- what is held

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized List<Lease> leases() {
        return List.copyOf(held.values());
    }

    /** The members without a valid lease, in order. */
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

    private synchronized List<Lease> takeFrom(int member) {
        NavigableMap<Integer, Lease> behind = held.tailMap(member, true);
        List<Lease> taken = List.copyOf(behind.values());
        behind.clear();
        return taken;
    }

    /** Gives back in the background. */
    private static void giveBack(List<Lease> leases) {
        if (!leases.isEmpty()) {
            var unused = Leases.releaseAsync(leases);
        }
    }

    /** Gives all back, and then tells the caller: the failure, or that it is not to be had. */
    private void refuse(@Nullable Throwable failure) {
        var unused = Leases.releaseAsync(takeFrom(0)).whenComplete((done, ignored) -> {
            if (failure == null) {
                result.complete(maker.apply(Optional.empty()));
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    /** The time is over, and the stores have not answered. */
    private void overdue() {
        if (contended) {
            result.complete(maker.apply(Optional.empty()));
        } else {
            result.completeExceptionally(new StoreUnavailableException(
                    "Lock " + name + ": not every store answered until the wait was over", null));
        }
    }

    private void end() {
        List<CompletableFuture<?>> requests;
        List<Lease> leases;
        synchronized (this) {
            over = true;
            requests = List.copyOf(asked.values());
            leases = List.copyOf(held.values());
            held.clear();
        }
        requests.forEach(request -> request.cancel(false));
        giveBack(leases);
    }
}
