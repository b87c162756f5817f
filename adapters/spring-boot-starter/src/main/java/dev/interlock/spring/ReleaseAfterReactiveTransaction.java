package dev.interlock.spring;

import dev.interlock.annotation.spi.CallerTransaction;
import org.springframework.core.Ordered;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/** Tells a {@link CallerTransaction} of the transaction in a subscriber's context. */
final class ReleaseAfterReactiveTransaction implements TransactionSynchronization, Ordered {

    private final CallerTransaction transaction;

    /** Whether one that comes later releases in its place. */
    private volatile boolean replaced;

    private ReleaseAfterReactiveTransaction(CallerTransaction transaction) {
        this.transaction = transaction;
    }

    /** The transaction of the subscriber; empty if it has none. */
    static Mono<CallerTransaction> ofTheSubscriber() {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                .filter(manager -> manager.isActualTransactionActive() && manager.isSynchronizationActive())
                .map(ReleaseAfterReactiveTransaction::in);
    }

    private static CallerTransaction in(TransactionSynchronizationManager manager) {
        for (TransactionSynchronization known : manager.getSynchronizations()) {
            if (known instanceof ReleaseAfterReactiveTransaction release) {
                return release.transaction;
            }
        }
        ReleaseAfterReactiveTransaction release = new ReleaseAfterReactiveTransaction(new CallerTransaction());
        manager.registerSynchronization(release);
        return release.transaction;
    }

    /** After all others: what they do belongs to the transaction. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
        return Mono.fromRunnable(transaction::ensureValid);
    }

    /** Of one order, they come in that of their registration: those of the methods would come after this one. */
    @Override
    public Mono<Void> beforeCompletion() {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                .filter(manager -> !replaced && manager.isSynchronizationActive())
                .doOnNext(manager -> {
                    manager.registerSynchronization(new ReleaseAfterReactiveTransaction(transaction));
                    replaced = true;
                })
                .then();
    }

    @Override
    public Mono<Void> afterCompletion(int status) {
        return replaced ? Mono.empty() : Mono.fromFuture(transaction::complete).then();
    }
}
