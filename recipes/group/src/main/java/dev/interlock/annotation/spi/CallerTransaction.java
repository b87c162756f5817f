package dev.interlock.annotation.spi;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.annotation.Locked;
import dev.interlock.spi.Printable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The transaction that the caller of locked methods has: it keeps their locks until it is completed, since another
 * holder would otherwise read what is not committed yet. If a lease is lost before the commit, the transaction is
 * rolled back.
 *
 * <pre>
 *   OPEN: watch, leave --complete--> COMPLETED: whoever leaves something releases it by itself
 * </pre>
 *
 * <p>Thread-safe: its monitor guards the fields, and nothing is released while it is held.
 */
public final class CallerTransaction {

    /** Begins releases, the last one first. */
    private final Deque<Supplier<CompletableFuture<?>>> left = new ArrayDeque<>();

    /** Those whose loss counts. */
    private final List<Lease> watched = new ArrayList<>();

    /** For asynchronous methods, by what they lock. */
    private final Map<Key, KeptLease> kept = new HashMap<>();

    /** What its synchronous methods hold. */
    private final Set<Key> shared = new HashSet<>();

    private boolean completed;

    /** A transaction that keeps nothing yet. The framework has one for each transaction of its own. */
    public CallerTransaction() {}

    private record Key(Interlock client, Locked.Kind kind, Set<String> names) {

        static Key of(Interlock client, Locked.Kind kind, List<String> names) {
            return new Key(client, kind == Locked.Kind.FAIR ? Locked.Kind.LOCK : kind, Set.copyOf(names));
        }

        /** Whether one may wait for the other. A lock and a read/write lock of one name are two things. */
        boolean meets(Key other) {
            return client == other.client
                    && (kind == Locked.Kind.LOCK) == (other.kind == Locked.Kind.LOCK)
                    && !Collections.disjoint(names, other.names);
        }
    }

    /** A method runs under this lease, within the transaction. */
    synchronized void watch(Lease lease, Locked.OnLost onLost) {
        if (onLost != Locked.OnLost.IGNORE && !completed) {
            watched.add(lease);
        }
    }

    /**
     * What the transaction keeps for an asynchronous method on these names.
     *
     * @throws IllegalStateException if it keeps something for other methods that is a part of that, or the other side,
     *     or for a thread: the method would wait for the end of its own transaction
     */
    KeptLease keep(Interlock client, Locked.Kind kind, List<String> names, String where) {
        Key key = Key.of(client, kind, names);
        KeptLease made;
        synchronized (this) {
            KeptLease known = kept.get(key);
            if (known != null) {
                return known;
            }
            made = new KeptLease();
            if (kind != Locked.Kind.PERMITS && !completed) {
                requireNone(kept.keySet(), key, "an asynchronous", where);
                requireNone(shared, key, "a synchronous", where);
                // Permits are taken by each call: the same ones would not do for two.
                kept.put(key, made);
            }
        }
        if (!leave(made::complete)) {
            var unused = made.complete();
        }
        return made;
    }

    /**
     * Refuses a synchronous method that would wait for what the transaction keeps for asynchronous ones.
     *
     * @throws IllegalStateException if it would
     */
    synchronized void requireFree(Interlock client, Locked.Kind kind, List<String> names, String where) {
        requireNone(kept.keySet(), Key.of(client, kind, names), "an asynchronous", where);
    }

    private static void requireNone(Set<Key> present, Key wanted, String form, String where) {
        for (Key key : present) {
            if (key.meets(wanted)) {
                throw new IllegalStateException("The method would wait for the end of its own transaction, which keeps"
                        + " the lock for " + form + " method with @Locked(" + key.kind + " "
                        + Printable.of(key.names.toString()) + "): names=" + Printable.of(wanted.names.toString())
                        + ", on " + where + "; in one transaction, call methods of one form, on the same names and of"
                        + " the same kind, or this one after it");
            }
        }
    }

    /**
     * Leaves what a synchronous method holds to the end of the transaction: asynchronous methods would wait for it.
     *
     * @return false if the end has come already
     */
    synchronized boolean share(
            Interlock client, Locked.Kind kind, List<String> names, Supplier<CompletableFuture<?>> release) {
        if (!completed && kind != Locked.Kind.PERMITS) {
            shared.add(Key.of(client, kind, names));
        }
        return leave(release);
    }

    /** Leaves a release to the end of the transaction; false if that has come already. */
    synchronized boolean leave(Supplier<CompletableFuture<?>> release) {
        if (!completed) {
            left.addFirst(release);
        }
        return !completed;
    }

    /**
     * Looks at the leases for the last time, before the commit.
     *
     * @throws LockLostException if one was lost, and that is not to be ignored
     */
    public void ensureValid() {
        List<Lease> leases;
        synchronized (this) {
            leases = List.copyOf(watched);
        }
        leases.forEach(Lease::ensureValid);
    }

    /** The transaction is completed, on whichever thread: releases what was left to it. Completes when that is done. */
    public CompletableFuture<?> complete() {
        List<Supplier<CompletableFuture<?>>> releases;
        synchronized (this) {
            completed = true;
            releases = List.copyOf(left);
            left.clear();
            watched.clear();
            kept.clear();
            shared.clear();
        }
        return CompletableFuture.allOf(releases.stream().map(Supplier::get).toArray(CompletableFuture[]::new));
    }
}
