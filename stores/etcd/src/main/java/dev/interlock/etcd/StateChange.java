package dev.interlock.etcd;

import dev.interlock.spi.Command;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import io.etcd.jetcd.op.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A change of a semaphore's capacity or a latch's count: reads the state, and writes the next one if nobody has written
 * in between. The state has a lease of its own, which each use prolongs. On the event loop.
 */
final class StateChange {

    /** How many owners are remembered that have added permits. A request is repeated within seconds. */
    private static final int REMEMBERED = 100;

    private final Etcd etcd;
    private final Command command;
    private final OwnerId owner;
    private final String prefix;

    StateChange(Etcd etcd, Command command, String prefix) {
        this.etcd = etcd;
        this.command = command;
        this.owner = command.owner();
        this.prefix = prefix;
    }

    /** Whether it is done, by this request or an earlier one of the same command; false if it cannot be. */
    CompletableFuture<Boolean> run() {
        boolean isOfSemaphore = command.id().kind() == LockKind.SEMAPHORE;
        Op read = isOfSemaphore ? Operations.all(prefix) : Operations.get(prefix);
        return etcd.txn(List.of(read)).thenCompose(answer -> decide(Queue.of(command.id(), prefix, answer)));
    }

    private CompletableFuture<Boolean> decide(Queue queue) {
        State state = queue.state();
        if (command.action() instanceof Command.SetCount && state.count() > 0 && !state.isSetBy(owner)) {
            return CompletableFuture.completedFuture(false);
        } else if (command.action() instanceof Command.AddPermits add && !isInRange(sum(queue, add))) {
            return CompletableFuture.completedFuture(state.counted().contains(owner.value()));
        }
        State next = next(queue, state);
        StoredKey head = queue.head();
        if (next == null) {
            return CompletableFuture.completedFuture(true);
        } else if (head != null) {
            var unused = etcd.keepAlive(head.lease());
            return write(head.written(), next, head.lease());
        }
        return etcd.grant(command.lease()).thenCompose(lease -> write(0, next, lease.getID()));
    }

    private CompletableFuture<Boolean> write(long written, State next, long lease) {
        Op write = Operations.put(prefix, next.encoded(), lease);
        return etcd.txn(List.of(Operations.isWritten(prefix, written)), List.of(write), List.of())
                .thenCompose(answer -> answer.isSucceeded() ? CompletableFuture.completedFuture(true) : run());
    }

    private static long youngestHolder(Queue queue) {
        return queue.entries().stream()
                .filter(queue::holds)
                .mapToLong(entry -> entry.key().created())
                .max()
                .orElse(0);
    }

    private static long sum(Queue queue, Command.AddPermits add) {
        return add.more() + (long) (queue.capacity() == 0 ? add.capacity() : queue.capacity());
    }

    private static boolean isInRange(long capacity) {
        return capacity >= 1 && capacity <= Integer.MAX_VALUE;
    }

    /** The next state; null if the change was made before, or there is nothing to change. */
    private @Nullable State next(Queue queue, State state) {
        if (command.action() instanceof Command.Resize resize) {
            return new State(resize.capacity(), youngestHolder(queue), "", List.of());
        } else if (command.action() instanceof Command.AddPermits add) {
            if (state.counted().contains(owner.value())) {
                return null;
            }
            List<String> added = new ArrayList<>(state.counted());
            added.add(owner.value());
            int size = added.size();
            List<String> last = added.subList(Math.max(0, size - REMEMBERED), size);
            return new State((int) sum(queue, add), youngestHolder(queue), "", last);
        } else if (command.action() instanceof Command.SetCount set) {
            return state.isSetBy(owner) ? null : new State(set.count(), 0, owner.value(), List.of());
        } else if (state.count() == 0 || state.counted().contains(owner.value())) {
            return null;
        }
        List<String> counted = new ArrayList<>(state.counted());
        counted.add(owner.value());
        // At zero nobody counts any more, whether again or not.
        return new State(state.count() - 1, 0, state.setter(), state.count() == 1 ? List.of() : counted);
    }
}
