package dev.interlock.spi;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LossCause;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease under which a recipe or an adapter runs code of the user. It says so by {@link #begin}, so that
 * {@link Interlock#close()} does not give the lock away while the code runs. The leases of a client's locks, and of
 * several locks as one, implement it. Thread-safe.
 */
@SuppressWarnings("exports")
public interface WorkLease extends Lease {

    /** Code of the user that runs under a lease. Thread-safe. */
    interface Work extends AutoCloseable {

        /** The code has ended, and the lease is released. Idempotent. */
        @Override
        void close();
    }

    /** Where code of the user runs. */
    enum Place {
        /** On the calling thread, until it ends: what that thread acquires besides belongs to it. */
        THIS_THREAD,
        /**
         * On any threads, such as the code of a future, a publisher or a coroutine. It needs nothing but the lease, and
         * counts as ended when that is over.
         */
        ANYWHERE
    }

    /**
     * Code begins to run under this lease. Until it ends, {@link Interlock#close()} releases neither this lease nor
     * what a thread of the code has acquired besides, waits for the end for a bounded time, and lets what is left run
     * out in the store. While the client waits, the code may still acquire locks of it; if it runs anywhere, so may
     * everybody, since nobody knows who belongs to it.
     *
     * @param place where the code runs
     * @param whenOver called once when the lease is over: with the cause if it was lost, with null if it was released.
     *     It runs on the thread that ends the lease, with no lock held, and not on the callback executor; so it must
     *     neither block nor call code of the user. Null if nobody has to be told
     * @return to be closed when the code has ended; for code that runs anywhere that does nothing, since it ends with
     *     the lease. Null if the lease is over, so that the code must not run
     */
    @Nullable
    Work begin(Place place, @Nullable Consumer<@Nullable LossCause> whenOver);

    /**
     * Code begins to run under a lease of any kind.
     *
     * @param place where the code runs
     * @return to be closed when the code has ended and the lease is released
     * @throws dev.interlock.LockLostException if the lease was lost
     * @throws IllegalStateException if the lease was released, as by a client that closes
     */
    static Work begin(Lease lease, Place place) {
        Work work = lease instanceof WorkLease own ? own.begin(place, null) : null;
        if (work == null) {
            lease.ensureValid();
            return () -> {};
        }
        return work;
    }
}
