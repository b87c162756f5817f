package dev.interlock.spring.integration;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.StoreUnavailableException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.scheduling.TaskScheduler;

/**
 * What a registry does on both lines of Spring Integration. It implements none of Spring's interfaces: they have a type
 * parameter on one line only.
 */
abstract class AbstractRegistry<K extends KeyLock> {

    private final Interlock interlock;
    private final String prefix;
    private final LockOptions options;
    private final RegistryTerms terms;
    private final LockMaker<K> maker;
    private final LockCache<K> locks = new LockCache<>();

    @FunctionalInterface
    interface LockMaker<K> {
        K make(DistributedLock lock, RegistryTerms terms);
    }

    AbstractRegistry(Interlock interlock, String prefix, LockOptions options, LockMaker<K> maker) {
        if (!options.isReentrant()) {
            throw new IllegalArgumentException(
                    "The locks of a LockRegistry are re-entrant: leave out reentrant(false)");
        }
        this.interlock = interlock;
        this.prefix = prefix;
        this.options = options.toBuilder().forgetLostHolds(true).build();
        this.terms = new RegistryTerms(options.lease());
        this.maker = maker;
    }

    final K lock(Object lockKey) {
        return locks.get(name(lockKey), name -> maker.make(interlock.lock(name, options), terms));
    }

    /**
     * Forgets lock objects last acquired more than {@code age} milliseconds ago that nobody in this process holds. They
     * go on to work.
     *
     * @param age in milliseconds
     */
    public void expireUnusedOlderThan(long age) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(age);
        locks.removeIf(lock -> lock.isUnusedFor(nanos));
    }

    /**
     * Makes the lease of this thread last as long as a new one. Waits for the store.
     *
     * @param lockKey a string
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws IllegalStateException if its lease was lost
     * @throws DataAccessResourceFailureException if the store did not answer in time; the lease is as long as before
     */
    public void renewLock(Object lockKey) {
        extend(lockKey, terms.term().length());
    }

    /**
     * Makes the lease of this thread last {@code ttl} from now, unless it lasts longer anyway. Waits for the store.
     * Throws like {@link #renewLock(Object)}.
     *
     * @param lockKey a string
     * @param ttl at most 365 days; less than 50 ms counts as 50 ms
     * @throws IllegalArgumentException if {@code ttl} is too long
     */
    public void renewLock(Object lockKey, Duration ttl) {
        extend(lockKey, RegistryTerms.raised(ttl));
    }

    /**
     * From now on all leases are renewed until they are unlocked. The client does that by itself: the scheduler is not
     * used.
     *
     * @param renewalTaskScheduler any
     */
    public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {
        terms.renew();
    }

    /**
     * {@return the lease behind this thread's hold, for its fencing token and its callbacks} No I/O.
     *
     * @param lockKey a string
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     */
    public Lease heldLease(Object lockKey) {
        return interlock.lock(name(lockKey)).heldLease();
    }

    private void extend(Object lockKey, Duration length) {
        Lease lease = heldLease(lockKey);
        try {
            lease.extend(length);
        } catch (LockLostException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (StoreUnavailableException e) {
            throw new DataAccessResourceFailureException(e.getMessage(), e);
        }
    }

    private String name(Object lockKey) {
        if (lockKey instanceof String key) {
            return prefix + key;
        }
        throw new IllegalArgumentException(
                "The key of a lock must be a String: " + lockKey.getClass().getName());
    }

    static LockOptions fixed(Interlock interlock, Duration expireAfter) {
        LeaseTerm term = LeaseTerm.fixed(RegistryTerms.raised(expireAfter));
        return changed(interlock, options -> options.lease(term));
    }

    static LockOptions changed(Interlock interlock, Consumer<LockOptions.Builder> changes) {
        LockOptions.Builder options = interlock.lockOptions().toBuilder();
        Objects.requireNonNull(changes, "changes").accept(options);
        return options.build();
    }

    static String prefix(String registryKey) {
        if (Objects.requireNonNull(registryKey, "registryKey").isEmpty()) {
            throw new IllegalArgumentException("The registry key must not be empty: leave it out");
        }
        return registryKey + ":";
    }

    /** How many lock objects the registry knows. */
    int size() {
        return locks.size();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[prefix=" + prefix + "]";
    }
}
