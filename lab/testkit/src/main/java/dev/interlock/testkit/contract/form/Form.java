package dev.interlock.testkit.contract.form;

import dev.interlock.Interlock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A form in which an adapter runs a body under a lock. */
public interface Form {

    /** How long a call waits for the lock. */
    enum Wait {
        /** As long as it takes. */
        UNLIMITED,
        /** Not at all. */
        NONE
    }

    /** A call that has begun. */
    interface Call {
        /** The body's result; null if the lock was busy, so that the body did not run. */
        CompletableFuture<@Nullable String> result();

        /**
         * Ends the call as its caller does who does not want its result any more.
         *
         * @param way one of {@link Form#ways}
         */
        void giveUp(String way);
    }

    /** What a call of this name is about, seen by this client. */
    default Site site(Interlock other, String name) {
        return new LockSite(other, name);
    }

    /** Begins a call, without waiting for its end. */
    Call begin(Interlock client, String name, Wait wait, FormBody body);

    /** Calls from within a body, and waits for the end. */
    default @Nullable String nested(Interlock client, String name, FormBody body) {
        return begin(client, name, Wait.UNLIMITED, body).result().join();
    }

    /**
     * Closes what the call's lock belongs to: the client, or the application that has it. Returns when that is closed.
     *
     * @param client that of a call that has begun
     * @param patiently whether to wait for work for as long as it takes, where the client does not decide that
     */
    default void shutDown(Interlock client, boolean patiently) {
        client.close();
    }

    /** In which ways a caller can end its call. */
    List<String> ways();

    /** The days that the form does not have, each with the reason. */
    default Map<FormTable.Day, String> refused() {
        return Map.of();
    }

    /** Whether a body hears by an interrupt that its lease is lost, or that the client closes. */
    default boolean isInterruptedAtTheEnd() {
        return false;
    }

    /** Whether it is the log, and not the caller, that is told of a lease that was lost. */
    default boolean isLossLogged() {
        return false;
    }
}
