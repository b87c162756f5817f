package dev.interlock.annotation.spi;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.annotation.LockBusyException;
import dev.interlock.annotation.LockInterruptedException;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.RunningMethods.Run;
import dev.interlock.group.MultiLock;
import dev.interlock.spi.Log;
import dev.interlock.spi.Printable;
import dev.interlock.spi.WorkLease;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What all forms of methods share: names, clients, locks, and what the caller gets without one. Thread-safe. */
final class Locking {

    private static final System.Logger LOG = Log.of(Locked.class);
    private static final Duration UNLIMITED = Duration.ofSeconds(Long.MAX_VALUE);

    private final Framework framework;

    Locking(Framework framework) {
        this.framework = framework;
    }

    Framework framework() {
        return framework;
    }

    List<String> names(LockedCall call, Run run, LockedOperation operation) {
        List<String> names = operation.names(call.call());
        run.locks(names);
        return names;
    }

    /** What the caller gets when the wait ended without the lock. */
    @Nullable
    Object busy(LockedCall call, LockedOperation operation, List<String> names) throws Throwable {
        Method fallback = operation.fallback();
        if (fallback != null) {
            return call.call().proceedBy(fallback);
        }
        if (operation.annotation().onBusy() == Locked.OnBusy.SKIP) {
            reportSkip(operation, names);
            return operation.skipped();
        }
        throw new LockBusyException(
                names,
                "The lock was not available within the wait: " + Printable.of(names.toString()) + ", waitAtMost="
                        + operation.waitLimit() + ", on " + operation.where());
    }

    /** A job that never runs must show somewhere; one that mostly runs elsewhere must not fill the log. */
    private void reportSkip(LockedOperation operation, List<String> names) {
        if (operation.skips()) {
            LOG.log(
                    Level.INFO,
                    "Skipped, because the lock is busy: " + Printable.of(names.toString()) + ", on " + operation.where()
                            + "; further runs that are skipped are not logged until one runs again");
        }
        framework.skipped(operation.where());
    }

    static void warnOfRunningWithout(LockedOperation operation, List<String> names, Throwable cause) {
        LOG.log(
                Level.WARNING,
                "Running WITHOUT the lock, because the store did not answer and onUnavailable = PROCEED: "
                        + Printable.of(names.toString()) + ", on " + operation.where(),
                cause);
    }

    /**
     * The client of an operation.
     *
     * @throws UnsupportedOperationException if its store could not do at the end what the operation wants
     */
    Interlock client(LockedOperation operation) {
        Interlock client = given(framework.client(operation.annotation().client()), "client", operation);
        operation.requireLapsing(client);
        return client;
    }

    private <T> T given(@Nullable T value, String method, LockedOperation operation) {
        if (value == null) {
            throw new IllegalStateException("Framework." + method + " must not return null, as that of "
                    + framework.getClass().getName() + " does for " + operation.where());
        }
        return value;
    }

    private LockOptions options(LockedOperation operation, String name) {
        LockOptions.Builder chosen = given(framework.options(name), "options", operation).toBuilder();
        if (operation.lease() != null) {
            chosen.lease(operation.lease());
        }
        if (operation.annotation().kind() == Locked.Kind.FAIR) {
            // A fair lock cannot be retained, and the options are those of the name, for methods of any kind.
            chosen.retained(Duration.ZERO).fair(true);
        }
        LockOptions options = chosen.build();
        return switch (operation.annotation().kind()) {
            case READ, WRITE -> options.forReadWriteLock();
            case PERMITS -> options.forSemaphore();
            default -> options;
        };
    }

    private List<DistributedLock> locks(LockedOperation operation, List<String> names) {
        Interlock client = client(operation);
        return names.stream()
                .map(name -> switch (operation.annotation().kind()) {
                    case READ ->
                        client.readWriteLock(name, options(operation, name)).readLock();
                    case WRITE ->
                        client.readWriteLock(name, options(operation, name)).writeLock();
                    default -> client.lock(name, options(operation, name));
                })
                .toList();
    }

    /**
     * Work begins that does not end with a call, and a client that closes does not give its lock away.
     *
     * @throws RuntimeException if the lease is over: then it must not begin
     */
    static void beginWork(Lease lease) {
        // It ends with the lease.
        var unused = WorkLease.begin(lease, WorkLease.Place.ANYWHERE);
    }

    private static DistributedLock asOne(List<DistributedLock> locks) {
        return locks.size() == 1 ? locks.get(0) : MultiLock.of(locks);
    }

    /** Acquires in the calling thread; null if the wait ended without the lock. */
    @Nullable
    Held acquire(LockedCall call, LockedOperation operation, List<String> names) throws InterruptedException {
        Duration wait = operation.waitLimit();
        try {
            if (operation.annotation().kind() == Locked.Kind.PERMITS) {
                return permits(operation, names, wait);
            }
            CallerTransaction transaction = framework.transaction();
            if (transaction != null) {
                transaction.requireFree(
                        client(operation), operation.annotation().kind(), names, operation.where());
            }
            List<DistributedLock> members = locks(operation, names);
            DistributedLock lock = asOne(members);
            if (wait == null) {
                lock.lockInterruptibly();
            } else if (!lock.tryLock(wait)) {
                return null;
            }
            return new Held(lock.heldLease(), lock, members, operation, System.nanoTime());
        } catch (InterruptedException e) {
            // That nobody has the lock is not known, so it is no reason to skip the method.
            if (call.declaresInterruption()) {
                throw e;
            }
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(
                    "The thread was interrupted while it waited for the lock: " + Printable.of(names.toString())
                            + ", on " + operation.where(),
                    e);
        }
    }

    private @Nullable Held permits(LockedOperation operation, List<String> names, @Nullable Duration wait)
            throws InterruptedException {
        String name = names.get(0);
        Locked annotation = operation.annotation();
        var semaphore = client(operation).semaphore(name, annotation.capacity(), options(operation, name));
        Lease lease = wait == null
                ? semaphore.acquire(annotation.permits())
                : semaphore.tryAcquire(annotation.permits(), wait).orElse(null);
        return lease == null ? null : new Held(lease, null, List.of(), operation, System.nanoTime());
    }

    /** Acquires a lease without blocking; empty if the wait ended without the lock. To cancel the future gives up. */
    CompletionStage<Optional<Lease>> acquireAsync(LockedOperation operation, List<String> names) {
        Duration wait = operation.waitLimit();
        if (operation.annotation().kind() == Locked.Kind.PERMITS) {
            String name = names.get(0);
            Locked annotation = operation.annotation();
            var semaphore = client(operation).semaphore(name, annotation.capacity(), options(operation, name));
            return semaphore.tryAcquireAsync(annotation.permits(), wait == null ? UNLIMITED : wait);
        }
        return asOne(locks(operation, names)).tryAcquireAsync(wait == null ? UNLIMITED : wait);
    }
}
