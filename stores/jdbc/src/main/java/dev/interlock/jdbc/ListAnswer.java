package dev.interlock.jdbc;

import dev.interlock.LockStatus;
import dev.interlock.spi.LockStore;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * The answer to a list, of which the worker reads a part at a time: however many names others have stored, what is
 * asked meanwhile comes between. Nothing more is read once somebody has cancelled it. Thread-safe.
 */
final class ListAnswer extends CompletableFuture<List<LockStatus>> {

    private final Worker worker;
    private final ListOperation list;

    ListAnswer(Worker worker, ListOperation list) {
        this.worker = worker;
        this.list = list;
        readNext();
    }

    private void readNext() {
        var unused = worker.submit(list::read).whenComplete((isWhole, failure) -> {
            if (failure != null) {
                completeExceptionally(Objects.requireNonNull(LockStore.causeOf(failure)));
            } else if (isWhole) {
                complete(list.listed());
            } else if (!isDone()) {
                readNext();
            }
        });
    }
}
