package dev.interlock.spring.integration;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * {@link InterlockRegistry} for Spring Integration 6.5, whose interfaces have no type parameter and which has no lock
 * type with a time to live. In all else it is the same.
 */
// Raw: with a type parameter, every look at the generic types of this class would fail on version 6.
@SuppressWarnings("rawtypes")
public final class InterlockRegistry6 extends AbstractRegistry<KeyLock>
        implements ExpirableLockRegistry, RenewableLockRegistry {

    /**
     * Creates a registry whose keys are the names of the locks, with the client's default options.
     *
     * @param interlock the client, which remains the caller's to close
     * @throws IllegalArgumentException if the client's locks are not re-entrant by default
     */
    public InterlockRegistry6(Interlock interlock) {
        super(interlock, "", interlock.lockOptions(), KeyLock::new);
    }

    /**
     * Creates a registry whose locks are named {@code registryKey:key}, with the client's default options.
     *
     * @param interlock the client, which remains the caller's to close
     * @param registryKey what the names of the locks begin with; not empty
     * @throws IllegalArgumentException if the client's locks are not re-entrant by default
     */
    public InterlockRegistry6(Interlock interlock, String registryKey) {
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
    public InterlockRegistry6(Interlock interlock, String registryKey, Duration expireAfter) {
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
    public InterlockRegistry6(Interlock interlock, String registryKey, LockOptions options) {
        super(interlock, prefix(registryKey), options, KeyLock::new);
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
    public InterlockRegistry6(Interlock interlock, String registryKey, Consumer<LockOptions.Builder> changes) {
        this(interlock, registryKey, changed(interlock, changes));
    }

    /**
     * {@return the lock of this key: the same object for as long as anybody refers to it}
     *
     * @param lockKey a string
     * @throws IllegalArgumentException if the key is not a string, or breaks a rule of names
     */
    @Override
    public Lock obtain(Object lockKey) {
        return lock(lockKey);
    }
}
