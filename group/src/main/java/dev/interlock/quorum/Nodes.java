package dev.interlock.quorum;

import dev.interlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** The stores, by number, and how long each may take. */
final class Nodes {

    /** A store has at most this share of the lease for an answer. */
    private static final int SHARE_OF_LEASE = 10;

    private final List<LockStore> stores;
    private final long timeoutNanos;
    private final List<Departures> departures;

    Nodes(List<LockStore> stores, Duration timeout) {
        this.stores = List.copyOf(stores);
        this.timeoutNanos = timeout.toNanos();
        this.departures = this.stores.stream()
                .map(store -> new Departures(store, timeout))
                .toList();
    }

    int size() {
        return stores.size();
    }

    int majority() {
        return stores.size() / 2 + 1;
    }

    LockStore get(int number) {
        return stores.get(number);
    }

    List<LockStore> all() {
        return stores;
    }

    /** What is owed to this store. */
    Departures departures(int number) {
        return departures.get(number);
    }

    void close() {
        departures.forEach(Departures::close);
    }

    /** How long a store may take for what concerns a lease of this length. */
    Duration patience(Duration lease) {
        return Duration.ofNanos(Math.min(timeoutNanos, lease.toNanos() / SHARE_OF_LEASE));
    }

    /** How long a store may take. */
    Duration patience() {
        return Duration.ofNanos(timeoutNanos);
    }

    /** Asks all stores at once. */
    <T> List<CompletableFuture<T>> ask(Duration patience, IntFunction<CompletionStage<T>> question) {
        return each(store -> within(patience, question.apply(store)));
    }

    /**
     * Does the same with all stores at once. Each request of it goes {@link #within} a time by itself, and what follows
     * on its answer comes behind that: to cancel what follows would not reach the request, and the store would keep it
     * for ever.
     */
    <T> List<CompletableFuture<T>> each(IntFunction<CompletableFuture<T>> steps) {
        List<CompletableFuture<T>> outcomes = new ArrayList<>(size());
        for (int number = 0; number < size(); number++) {
            outcomes.add(steps.apply(number));
        }
        return outcomes;
    }

    /** The answer, if it comes in time; else the store is told that nobody waits for it any more. */
    static <T> CompletableFuture<T> within(Duration patience, CompletionStage<T> asked) {
        CompletableFuture<T> request = asked.toCompletableFuture();
        if (request.isDone()) {
            return request;
        }
        CompletableFuture<T> answer = request.copy().orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
        var unused = answer.whenComplete((value, failure) -> {
            if (failure != null) {
                request.cancel(false);
            }
        });
        return answer;
    }
}
