package dev.interlock.shedlock;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Log;
import dev.interlock.spi.Printable;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/** One hold on a task's lock. The super class refuses a second unlock or extension. */
final class LeasedLock extends AbstractSimpleLock {

    private static final Logger LOG = Log.named("dev.interlock");

    private final Interlock interlock;
    private final Lease lease;
    private final long startNanos;

    /**
     * Holds the lock.
     *
     * @param startNanos when the lock was requested, from which {@code lockAtLeastFor} counts
     */
    LeasedLock(LockConfiguration configuration, Interlock interlock, Lease lease, long startNanos) {
        super(configuration);
        this.interlock = interlock;
        this.lease = lease;
        this.startNanos = startNanos;
    }

    @Override
    protected void doUnlock() {
        ReleaseOutcome outcome = end();
        if (outcome.isLost()) {
            LOG.log(
                    Logger.Level.WARNING,
                    "The lock of task ''{0}'' was lost ({1}) before the task ended, lockAtMostFor={2}:"
                            + " the task may have run elsewhere meanwhile",
                    Printable.of(lockConfiguration.getName()),
                    outcome.lossCause(),
                    lockConfiguration.getLockAtMostFor());
        }
    }

    private ReleaseOutcome end() {
        Duration left = lockConfiguration.getLockAtLeastFor().minusNanos(System.nanoTime() - startNanos);
        return left.isNegative() || left.isZero() ? lease.release() : lease.lapse(left);
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
        InterlockLockProvider.requireLapsing(interlock, extended);
        long extendedNanos = System.nanoTime();
        try {
            lease.extend(InterlockLockProvider.raised(extended.getLockAtMostFor()));
        } catch (LockLostException e) {
            return Optional.empty();
        } catch (StoreUnavailableException e) {
            throw new LockException("The lock of task '" + extended.getName() + "' could not be extended", e);
        }
        return Optional.of(new LeasedLock(extended, interlock, lease, extendedNanos));
    }
}
