package dev.interlock.shedlock;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Capability;
import dev.interlock.spi.WorkLease;
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
 * and etcd cannot keep a lock without a holder: there a task with {@code lockAtLeastFor} is refused by an
 * {@link UnsupportedOperationException}, before it runs.
 *
 * <p>Leases shorter than 50 ms last 50 ms. Closing the client is up to the application: it waits for tasks that run,
 * for {@code closeTimeout} at most, and what runs longer keeps its lock until it ends or {@code lockAtMostFor} is over.
 * Thread-safe.
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
     * @throws UnsupportedOperationException if there is a {@code lockAtLeastFor}, and the store cannot keep a lock
     *     without a holder; nothing is locked then
     * @throws LockException if the store did not answer in time, or the lock was lost at once
     * @throws IllegalStateException if the client is closed
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LeaseTerm term = LeaseTerm.fixed(raised(configuration.getLockAtMostFor()));
        requireLapsing(interlock, configuration);
        long startNanos = System.nanoTime();
        try {
            Optional<Lease> granted =
                    interlock.lock(prefix + configuration.getName()).tryAcquire(term);
            // The client does not give the lock of a task away when it is closed.
            granted.ifPresent(lease -> WorkLease.begin(lease, WorkLease.Place.ANYWHERE));
            return granted.map(lease -> new LeasedLock(configuration, interlock, lease, startNanos));
        } catch (StoreUnavailableException | LockLostException e) {
            throw new LockException("The lock of task '" + configuration.getName() + "' could not be acquired", e);
        }
    }

    /** Refuses, before anything is done, what could not be done at the end of the task. */
    static void requireLapsing(Interlock interlock, LockConfiguration configuration) {
        Duration atLeast = configuration.getLockAtLeastFor();
        if (atLeast.compareTo(Duration.ZERO) > 0 && !interlock.capabilities().contains(Capability.LAPSE)) {
            throw new UnsupportedOperationException("The store cannot keep the lock of task '" + configuration.getName()
                    + "' after its end: lockAtLeastFor=" + atLeast + "; leave that out, or use another store");
        }
    }

    /** Shorter leases than Interlock has become the shortest one. */
    static Duration raised(Duration lockAtMostFor) {
        return lockAtMostFor.compareTo(LeaseTerm.MIN) < 0 ? LeaseTerm.MIN : lockAtMostFor;
    }
}
