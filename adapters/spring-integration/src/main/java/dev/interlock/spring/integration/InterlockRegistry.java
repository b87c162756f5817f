package dev.interlock.spring.integration;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import java.time.Duration;
import java.util.function.Consumer;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A {@code LockRegistry} of Spring Integration 7 whose locks are those of an {@link Interlock} client.
 *
 * <p>The lock of a key is the client's lock of the same name, or of the name {@code registryKey:key}. So it is the same
 * lock for every registry of the client, for {@link Interlock#lock(String)}, and for the command.
 *
 * <p>By default leases are as the client's options say: renewed until they are unlocked. With an expiration, and for a
 * time to live that a caller names, the lease is fixed, unless {@link #setRenewalTaskScheduler} is called. Leases
 * shorter than 50 ms last 50 ms.
 *
 * <p>The locks are re-entrant. Their acquire methods throw {@link org.springframework.dao.CannotAcquireLockException}
 * if the store does not answer in time, and {@code unlock} throws {@link java.util.ConcurrentModificationException} if
 * the lease was lost before. If a thread acquires a lock whose lease it has lost without having unlocked it yet, it
 * begins with a new lease, which has all its holds; if the lock is busy then, the holds are forgotten.
 *
 * <p>Keys are strings. The registry needs no capacity: a lock object that nobody refers to any more is forgotten.
 * Closing the client is up to the application: it waits for locks that are held, for {@code closeTimeout} at most, and
 * leaves those that are held for longer to their threads, or to run out. Thread-safe.
 */
public final class InterlockRegistry extends AbstractRegistry<DistributedKeyLock>
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {

    /**
     * Creates a registry whose keys are the names of the locks, with the client's default options.
     *
     * @param interlock the client, which remains the caller's to close
     * @throws IllegalArgumentException if the client's locks are not re-entrant by default
     */
    public InterlockRegistry(Interlock interlock) {
        super(interlock, "", interlock.lockOptions(), DistributedKeyLock::new);
    }

    /**
     * Creates a registry whose locks are named {@code registryKey:key}, with the client's default options.
     *
     * @param interlock the client, which remains the caller's to close
     * @param registryKey what the names of the locks begin with; not empty
     * @throws IllegalArgumentException if the client's locks are not re-entrant by default
     */
    public InterlockRegistry(Interlock interlock, String registryKey) {
        this(interlock, registryKey, interlock.lockOptions());
    }

    /**
     * Creates a registry whose locks are named {@code registryKey:key}, with fixed leases.
     *
     * @param interlock the client, which remains the caller's to close
     * @param registryKey what the names of the locks begin with; not empty
     * @param expireAfter how long a lock is held at most, up to 365 days; less than 50 ms counts as 50 ms
     * @throws IllegalArgumentException if {@code expireAfter} is too long
     */
    public InterlockRegistry(Interlock interlock, String registryKey, Duration expireAfter) {
        this(interlock, registryKey, fixed(interlock, expireAfter));
    }

    /**
     * Creates a registry whose locks are named {@code registryKey:key} and have these options.
     *
     * @param interlock the client, which remains the caller's to close
     * @param registryKey what the names of the locks begin with; not empty
     * @param options the options of all locks
     * @throws IllegalArgumentException if the options say {@code reentrant(false)}
     */
    public InterlockRegistry(Interlock interlock, String registryKey, LockOptions options) {
        super(interlock, prefix(registryKey), options, DistributedKeyLock::new);
    }

    /**
     * Creates a registry whose locks are named {@code registryKey:key} and have the client's default options with these
     * changes of them.
     *
     * @param interlock the client, which remains the caller's to close
     * @param registryKey what the names of the locks begin with; not empty
     * @param changes changes the options of all locks; called once, at once
     * @throws IllegalArgumentException if the options say {@code reentrant(false)} then, or if one breaks a rule
     */
    public InterlockRegistry(Interlock interlock, String registryKey, Consumer<LockOptions.Builder> changes) {
        this(interlock, registryKey, changed(interlock, changes));
    }

    /**
     * {@return the lock of this key: the same object for as long as anybody refers to it}
     *
     * @param lockKey a string
     * @throws IllegalArgumentException if the key is not a string, or breaks a rule of names
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return lock(lockKey);
    }
}
