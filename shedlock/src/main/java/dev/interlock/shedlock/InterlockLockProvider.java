package dev.interlock.shedlock;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * A {@code LockProvider} of ShedLock whose locks are those of an {@link Interlock} client.
 *
 * <p>The lock of a task is the client's lock of the same name, with a fixed lease of {@code lockAtMostFor}. If the task
 * ends before {@code lockAtLeastFor} is over, the lease is left to lapse at that time: it outlives the client and the
 * process. Both times count from the call on a monotonic clock, so clocks may differ between the processes. ZooKeeper
 * cannot keep a lock without a holder: there {@code unlock} of a lock with {@code lockAtLeastFor} releases it, and
 * throws {@link UnsupportedOperationException}.
 *
 * <p>Leases shorter than 50 ms last 50 ms. Closing the client is up to the application. Thread-safe.
 */
public final class InterlockLockProvider implements ExtensibleLockProvider {

    private final Interlock interlock;
    private final String prefix;

    /**
     * Creates a provider whose locks have the names of the tasks.
     *
     * @param interlock the client, which remains the caller's to close
     */
    public InterlockLockProvider(Interlock interlock) {
        this(interlock, "");
    }

    /**
     * Creates a provider whose locks have the names of the tasks after a prefix, for example of the environment.
     *
     * @param interlock the client, which remains the caller's to close
     * @param prefix what the names of the locks begin with
     */
    public InterlockLockProvider(Interlock interlock, String prefix) {
        this.interlock = interlock;
        this.prefix = prefix;
    }

    /**
     * Makes one attempt to acquire the lock.
     *
     * @param configuration the name of the task, and for how long to keep its lock
     * @return the lock; empty if somebody else holds it
     * @throws IllegalArgumentException if the name breaks a rule, or {@code lockAtMostFor} is more than 365 days
     * @throws LockException if the store did not answer in time
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LeaseTerm term = LeaseTerm.fixed(raised(configuration.getLockAtMostFor()));
        long startNanos = System.nanoTime();
        try {
            return interlock
                    .lock(prefix + configuration.getName())
                    .tryAcquire(term)
                    .map(lease -> new LeasedLock(configuration, lease, startNanos));
        } catch (StoreUnavailableException e) {
            throw new LockException("The lock of task '" + configuration.getName() + "' could not be acquired", e);
        }
    }

    /** Shorter leases than Interlock has become the shortest one. */
    static Duration raised(Duration lockAtMostFor) {
        return lockAtMostFor.compareTo(LeaseTerm.MIN) < 0 ? LeaseTerm.MIN : lockAtMostFor;
    }
}
