package dev.interlock.spring;

import dev.interlock.annotation.spi.CallerTransaction;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Tells a {@link CallerTransaction} of the transaction of a thread, which may be completed by another thread. */
final class ReleaseAfterTransaction implements TransactionSynchronization, Ordered {

    private final CallerTransaction transaction;

    /** Whether one that comes later releases in its place. */
    private volatile boolean replaced;

    private ReleaseAfterTransaction(CallerTransaction transaction) {
        this.transaction = transaction;
    }

    /** The transaction of this thread; null if it has none. */
    static @Nullable CallerTransaction ofThread() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return null;
        }
        for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
            if (known instanceof ReleaseAfterTransaction release) {
                return release.transaction;
            }
        }
        ReleaseAfterTransaction release = new ReleaseAfterTransaction(new CallerTransaction());
        TransactionSynchronizationManager.registerSynchronization(release);
        return release.transaction;
    }

    /** After all others: what they do belongs to the transaction. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        transaction.ensureValid();
    }

    /** Of one order, they come in that of their registration: those of the methods would come after this one. */
    @Override
    public void beforeCompletion() {
        if (!replaced && TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new ReleaseAfterTransaction(transaction));
            replaced = true;
        }
    }

    @Override
    public void afterCompletion(int status) {
        if (!replaced) {
            var unused = transaction.complete().join();
        }
    }
}
