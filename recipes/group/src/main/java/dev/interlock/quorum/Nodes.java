package dev.interlock.quorum;

import dev.interlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/** The stores of a quorum, by number, the time that each may take, and what measures it. */
final class Nodes {

    /** A store may take at most this part of a lease to respond. */
    private static final int PARTS_OF_LEASE = 10;

    /** How long a store that is not connected may take to connect and respond. */
    private static final Duration CONNECTING = Duration.ofSeconds(5);

    private final List<LockStore> stores;
    private final Duration timeout;
    private final QuorumTime time;
    private final List<PendingReleases> pendingReleases;

    Nodes(List<LockStore> stores, Duration timeout, QuorumTime time) {
        this.stores = List.copyOf(stores);
        this.timeout = timeout;
        this.time = time;
        this.pendingReleases = this.stores.stream()
                .map(store -> new PendingReleases(store, timeout, time))
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

    PendingReleases pendingReleases(int number) {
        return pendingReleases.get(number);
    }

    QuorumTime time() {
        return time;
    }

    void close() {
        pendingReleases.forEach(PendingReleases::close);
    }

    /** How long a store may take to respond to a request about a lease of this length. */
    Duration timeout(Duration lease) {
        Duration part = lease.dividedBy(PARTS_OF_LEASE);
        return timeout.compareTo(part) < 0 ? timeout : part;
    }

    /** How long a store may take to respond. */
    Duration timeout() {
        return timeout;
    }

    /** The same for a store that may have to connect first. Called before the request is. */
    Duration timeout(int number, Duration limit) {
        return stores.get(number).isConnected() || limit.compareTo(CONNECTING) > 0 ? limit : CONNECTING;
    }

    /** Whether a majority need not connect. */
    boolean areConnected() {
        return stores.stream().filter(LockStore::isConnected).count() >= majority();
    }

    /** Sends a request to all stores at once. */
    <T> List<CompletableFuture<T>> request(Duration limit, IntFunction<CompletionStage<T>> request) {
        return forEach(store -> time.within(timeout(store, limit), request.apply(store)));
    }

    /**
     * Starts the same steps with all stores at once. Each request must have its own {@link QuorumTime#within timeout},
     * before any dependent stage: cancelling a dependent stage would not reach the request, and the store would keep it
     * for ever.
     */
    <T> List<CompletableFuture<T>> forEach(IntFunction<CompletableFuture<T>> steps) {
        List<CompletableFuture<T>> outcomes = new ArrayList<>(size());
        for (int number = 0; number < size(); number++) {
            outcomes.add(steps.apply(number));
        }
        return outcomes;
    }
}
