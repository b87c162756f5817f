package dev.interlock.spring;

import dev.interlock.LockLostException;
import dev.interlock.spring.LockedInterceptor.Held;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps a lock that was acquired inside of a transaction until that is completed: another holder would otherwise read
 * what is not committed yet. If the lease is lost before the commit, the transaction is rolled back.
 */
final class ReleaseAfterTransaction implements TransactionSynchronization, Ordered {

    private final Held held;
    private final Locked.OnLost onLost;

    private ReleaseAfterTransaction(Held held, Locked.OnLost onLost) {
        this.held = held;
        this.onLost = onLost;
    }

    /** Leaves the release to the transaction of this thread, if it has one; whether it does. */
    static boolean register(Held held, Locked.OnLost onLost) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        TransactionSynchronizationManager.registerSynchronization(new ReleaseAfterTransaction(held, onLost));
        return true;
    }

    /** After all others: what they do belongs to the transaction. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    /**
     * Looks at the lease for the last time.
     *
     * @throws LockLostException if it was lost, and that is not to be ignored
     */
    @Override
    public void beforeCommit(boolean readOnly) {
        if (onLost != Locked.OnLost.IGNORE) {
            held.lease().ensureValid();
        }
    }

    @Override
    public void afterCompletion(int status) {
        held.releaseQuietly();
    }
}
