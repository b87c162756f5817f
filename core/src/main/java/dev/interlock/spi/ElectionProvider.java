package dev.interlock.spi;

import dev.interlock.DistributedLock;
import dev.interlock.LeaderElection;
import dev.interlock.LockOptions;
import java.time.Duration;

/**
 * Makes elections over the locks of a client: {@link dev.interlock.Interlock#election} finds it by
 * {@link java.util.ServiceLoader}. {@code interlock-recipes} has one, and each store brings that module. Thread-safe.
 */
public interface ElectionProvider {

    /**
     * The elections of a client. Called once for each client that uses them.
     *
     * @param client the locks of the client
     * @param pollCap how often to ask the store what nobody tells
     * @param closeTimeout how long to wait for a candidate that leaves
     */
    Elections open(Locks client, Duration pollCap, Duration closeTimeout);

    /** The locks of one client: what an election needs of it. Thread-safe. */
    @FunctionalInterface
    interface Locks {

        /** The lock of this name, with these options: a view, without state of its own. */
        DistributedLock lock(String name, LockOptions options);
    }

    /** The elections of one client. Thread-safe. */
    interface Elections {

        /** An election: a view, without state of its own. */
        LeaderElection election(String name, LockOptions options);

        /**
         * The client is about to close: begins to end all candidacies and observations, without waiting. None can begin
         * afterwards. Idempotent.
         */
        void leave();

        /** Whether all candidacies have left, except that of the calling thread. */
        boolean haveLeft();
    }
}
