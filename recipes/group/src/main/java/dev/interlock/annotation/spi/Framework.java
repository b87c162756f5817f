package dev.interlock.annotation.spi;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.annotation.Locked;
import org.jspecify.annotations.Nullable;

/**
 * What a framework has for calls of annotated methods. Asked for when it is needed, and so after the application has
 * started. Thread-safe.
 */
// The annotation of null is for the build and for readers: a user does not need it.
@SuppressWarnings("exports")
public interface Framework {

    /**
     * A client of the application.
     *
     * @param name as in {@link Locked#client}; empty for the only or the primary one
     */
    Interlock client(String name);

    /**
     * The options of the lock of a name, before an annotation changes them. Those that have no effect on the kind of
     * the annotation are left out.
     */
    LockOptions options(String name);

    /** Counts the methods that run: the same ones each time. */
    RunningMethods running();

    /**
     * A run was skipped, because the lock is busy. Called on the thread that skips.
     *
     * @param method the class and the name of the method
     */
    default void skipped(String method) {}

    /**
     * The transaction that the calling thread is in, the same one each time; null if it is in none. The framework calls
     * {@link CallerTransaction#ensureValid} before the commit, and {@link CallerTransaction#complete} at the end.
     */
    default @Nullable CallerTransaction transaction() {
        return null;
    }

    /** The same of subscribers to publishers; null if only threads are in transactions. */
    default @Nullable SubscriberTransactions subscriberTransactions() {
        return null;
    }
}
