package dev.interlock.annotation.spi;

import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.annotation.LockInterruptedException;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.RunningMethods.Run;
import dev.interlock.spi.WorkLease;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Methods that do their work before they return: the calling thread waits for the lock, and owns it. */
final class SynchronousLocking {

    private final Locking locking;

    SynchronousLocking(Locking locking) {
        this.locking = locking;
    }

    @Nullable
    Object run(LockedCall call) throws Throwable {
        RunningMethods counted = locking.framework().running();
        Run run = counted.enter(call.where());
        counted.descend();
        try {
            return runLocked(call, run, 0, call.call().arguments());
        } finally {
            counted.ascend();
            counted.leave(run);
        }
    }

    private @Nullable Object runLocked(LockedCall call, Run run, int index, @Nullable Object[] args) throws Throwable {
        if (index == call.operations().size()) {
            Object result = call.call().proceed(args);
            call.operations().get(0).forms().requireOver(result, call.where());
            return result;
        }
        LockedOperation operation = call.operations().get(index);
        List<String> names = locking.names(call, run, operation);
        Held held;
        try {
            held = locking.acquire(call, operation, names);
        } catch (StoreUnavailableException e) {
            return switch (operation.annotation().onUnavailable()) {
                case THROW -> throw e;
                case SKIP -> operation.skipped();
                case PROCEED -> {
                    Locking.warnOfRunningWithout(operation, names, e);
                    yield runLocked(call, run, index + 1, LockedOperation.withLease(operation.method(), args, null));
                }
            };
        }
        if (held == null) {
            return locking.busy(call, operation, names);
        }
        return runHeld(
                call, run, index, names, LockedOperation.withLease(operation.method(), args, held.lease()), held);
    }

    private @Nullable Object runHeld(
            LockedCall call, Run run, int index, List<String> names, @Nullable Object[] args, Held held)
            throws Throwable {
        WorkLease.Work work;
        try {
            // What the thread has locked in the method belongs to the method.
            work = WorkLease.begin(held.lease(), WorkLease.Place.THIS_THREAD);
        } catch (RuntimeException | Error e) {
            held.releaseQuietly();
            throw e;
        }
        try (work) {
            return runBegun(call, run, index, names, args, held);
        }
    }

    private @Nullable Object runBegun(
            LockedCall call, Run run, int index, List<String> names, @Nullable Object[] args, Held held)
            throws Throwable {
        Locked.OnLost onLost = call.operations().get(index).annotation().onLost();
        // Its transaction, if the caller has one, holds the lock besides the method.
        SharedHold shared;
        try {
            CallerTransaction transaction = locking.framework().transaction();
            if (transaction != null) {
                // It may keep the lock for longer than the method.
                Locking.beginWork(held.lease());
            }
            shared = transaction == null
                    ? null
                    : SharedHold.with(transaction, locking.client(held.operation()), names, held);
        } catch (RuntimeException | Error e) {
            held.releaseQuietly();
            throw e;
        }
        // Only now: the interrupt of a body that does not begin would meet what the thread does next.
        Interruption interruption = onLost == Locked.OnLost.INTERRUPT ? Interruption.on(held.lease()) : null;
        Object result;
        try {
            result = runLocked(call, run, index + 1, args);
        } catch (Throwable thrown) {
            boolean interrupted = interruption != null && interruption.end();
            if (shared == null) {
                held.releaseQuietly();
            } else {
                shared.leave();
            }
            if (interrupted && (thrown instanceof InterruptedException || thrown instanceof LockInterruptedException)) {
                throw lost(held, thrown);
            }
            throw thrown;
        }
        if (interruption != null) {
            interruption.end();
        }
        if (shared != null) {
            shared.leave();
            return result;
        }
        held.release(onLost != Locked.OnLost.IGNORE);
        return result;
    }

    private static Throwable lost(Held held, Throwable thrown) {
        try {
            held.lease().ensureValid();
        } catch (LockLostException e) {
            e.addSuppressed(thrown);
            return e;
        }
        return thrown;
    }

    /**
     * Interrupts the thread of a body whose lease is lost, but not what the thread does after the body: the monitor
     * guards whether the body has ended, and is held for the interrupt.
     */
    static final class Interruption implements Consumer<LossCause> {

        private final Thread thread = Thread.currentThread();
        private boolean ended;
        private boolean interrupted;

        static Interruption on(Lease lease) {
            Interruption interruption = new Interruption();
            lease.onLost(interruption);
            return interruption;
        }

        @Override
        public synchronized void accept(LossCause cause) {
            if (!ended) {
                interrupted = true;
                thread.interrupt();
            }
        }

        /** The body has ended: takes back an interrupt that came from here; whether there was one. */
        synchronized boolean end() {
            ended = true;
            if (interrupted) {
                Thread.interrupted();
            }
            return interrupted;
        }
    }
}
