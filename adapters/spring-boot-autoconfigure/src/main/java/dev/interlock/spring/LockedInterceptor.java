package dev.interlock.spring;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.group.MultiLock;
import dev.interlock.spi.Printable;
import dev.interlock.spi.WorkLease;
import dev.interlock.spring.RunningMethods.Run;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Runs {@link Locked} methods: acquires, calls, releases. Thread-safe; all state of a call is in the call.
 *
 * <pre>
 *   names -> acquire -- busy --> throw, skip or fallback
 *               |  \--- silent store --> throw, skip or run without
 *               v
 *            body, with the lease -> release, or at the end of the transaction that was there before
 * </pre>
 */
public final class LockedInterceptor implements MethodInterceptor {

    private static final System.Logger LOG = System.getLogger(LockedInterceptor.class.getName());
    /** Of transactions and of Reactor: an application may have them. */
    static final String TRANSACTIONS_TYPE = "org.springframework.transaction.support.TransactionSynchronizationManager";

    static final String REACTOR_TYPE = "reactor.core.publisher.Flux";

    static final boolean TRANSACTIONS =
            ClassUtils.isPresent(TRANSACTIONS_TYPE, LockedInterceptor.class.getClassLoader());

    private final LockedMethods methods;
    private final BeanFactory beans;
    private final Function<String, LockOptions> options;
    private final Supplier<RunningMethods> running;

    /**
     * Runs the methods that {@code methods} finds.
     *
     * @param beans has the clients, and what names mention
     * @param options the options of the lock of a name, before an annotation changes them
     * @param running counts the methods that run; asked for by the first call
     */
    public LockedInterceptor(
            LockedMethods methods,
            BeanFactory beans,
            Function<String, LockOptions> options,
            Supplier<RunningMethods> running) {
        this.methods = methods;
        this.beans = beans;
        this.options = options;
        this.running = running;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type =
                target == null ? invocation.getMethod().getDeclaringClass() : AopProxyUtils.ultimateTargetClass(target);
        List<LockedOperation> operations = methods.operations(invocation.getMethod(), type);
        if (operations.isEmpty() || target == null) {
            return invocation.proceed();
        }
        Call call = new Call(invocation, target, operations);
        return switch (operations.get(0).form()) {
            case STAGE -> new StageLocking(this, running.get()).run(call, 0);
            case PUBLISHER -> new ReactiveLocking(this, running.get()).run(call);
            case RETURNED -> run(call, 0);
        };
    }

    /** One call of a method, and what is around it. */
    record Call(MethodInvocation invocation, Object target, List<LockedOperation> operations) {

        /** Calls the method, which may be done again by another subscriber, on any thread. */
        @Nullable
        Object proceed(@Nullable Object[] args) throws Throwable {
            if (invocation instanceof ProxyMethodInvocation proxied) {
                return proxied.invocableClone(args).proceed();
            }
            return invocation.proceed();
        }

        /** Whether callers expect an InterruptedException: others must not get what is not declared. */
        boolean declaresInterruption() {
            return Stream.of(invocation.getMethod().getExceptionTypes())
                    .anyMatch(declared -> declared.isAssignableFrom(InterruptedException.class));
        }

        /** The method, for messages. */
        String where() {
            return operations.get(0).where();
        }
    }

    // ---- synchronous methods

    private @Nullable Object run(Call call, int index) throws Throwable {
        RunningMethods counted = running.get();
        Run run = counted.enter(call.where());
        counted.descend();
        try {
            return runLocked(call, run, index, call.invocation().getArguments());
        } finally {
            counted.ascend();
            counted.leave(run);
        }
    }

    private @Nullable Object runLocked(Call call, Run run, int index, @Nullable Object[] args) throws Throwable {
        if (index == call.operations().size()) {
            Object result = call.proceed(args);
            ResultForm.requireOver(result, call.where());
            return result;
        }
        LockedOperation operation = call.operations().get(index);
        List<String> names = names(call, run, operation);
        Held held;
        try {
            held = acquire(call, operation, names);
        } catch (StoreUnavailableException e) {
            return switch (operation.annotation().onUnavailable()) {
                case THROW -> throw e;
                case SKIP -> operation.skipped();
                case PROCEED -> {
                    warnOfRunningWithout(operation, names, e);
                    yield runLocked(call, run, index + 1, LockedOperation.withLease(operation.method(), args, null));
                }
            };
        }
        if (held == null) {
            return busy(call, operation, names);
        }
        return runHeld(
                call, run, index, names, LockedOperation.withLease(operation.method(), args, held.lease()), held);
    }

    private @Nullable Object runHeld(
            Call call, Run run, int index, List<String> names, @Nullable Object[] args, Held held) throws Throwable {
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
            Call call, Run run, int index, List<String> names, @Nullable Object[] args, Held held) throws Throwable {
        Locked.OnLost onLost = call.operations().get(index).annotation().onLost();
        // Its transaction, if the caller has one, holds the lock besides the method.
        SharedHold shared;
        try {
            CallerTransaction transaction = transactionOfThread();
            if (transaction != null) {
                // It may keep the lock for longer than the method.
                beginWork(held.lease());
            }
            shared = transaction == null ? null : SharedHold.with(transaction, client(held.operation()), names, held);
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

    /** Interrupts the thread of a body whose lease is lost, but not what the thread does after the body. */
    private static final class Interruption implements Consumer<LossCause> {

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

    // ---- what all forms of methods share

    /** The transaction that this thread is in; null if it is in none. */
    static @Nullable CallerTransaction transactionOfThread() {
        return TRANSACTIONS ? ReleaseAfterTransaction.ofThread() : null;
    }

    List<String> names(Call call, Run run, LockedOperation operation) {
        List<String> names = operation.names(call.target(), call.invocation().getArguments(), beans);
        run.locks(names);
        return names;
    }

    /** What the caller gets when the wait ended without the lock. */
    @Nullable
    Object busy(Call call, LockedOperation operation, List<String> names) throws Throwable {
        Method fallback = operation.fallback();
        if (fallback != null) {
            return AopUtils.invokeJoinpointUsingReflection(
                    call.target(), fallback, call.invocation().getArguments());
        }
        if (operation.annotation().onBusy() == Locked.OnBusy.SKIP) {
            reportSkip(operation, names);
            return operation.skipped();
        }
        throw new LockBusyException(
                names,
                "The lock was not available within the wait: " + names + ", waitAtMost=" + operation.waitLimit()
                        + ", on " + operation.where());
    }

    /** A job that never runs must show somewhere; one that mostly runs elsewhere must not fill the log. */
    private void reportSkip(LockedOperation operation, List<String> names) {
        if (operation.skips()) {
            LOG.log(
                    Level.INFO,
                    "Skipped, because the lock is busy: " + names + ", on " + operation.where()
                            + "; further runs that are skipped are not logged until one runs again");
        }
        beans.getBeanProvider(SkipObserver.class)
                .orderedStream()
                .forEach(observer -> observer.skipped(operation.where()));
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
        Interlock client = named(operation.annotation().client());
        operation.requireLapsing(client);
        return client;
    }

    private Interlock named(String name) {
        if (name.isEmpty()) {
            return beans.getBean(Interlock.class);
        }
        return beans.containsBean(name)
                ? beans.getBean(name, Interlock.class)
                : BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, Interlock.class, name);
    }

    private LockOptions options(LockedOperation operation, String name) {
        LockOptions chosen = options.apply(name);
        if (operation.lease() != null) {
            chosen = chosen.lease(operation.lease());
        }
        return operation.annotation().kind() == Locked.Kind.FAIR ? chosen.fair() : chosen;
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
    private @Nullable Held acquire(Call call, LockedOperation operation, List<String> names)
            throws InterruptedException {
        Duration wait = operation.waitLimit();
        try {
            if (operation.annotation().kind() == Locked.Kind.PERMITS) {
                return permits(operation, names, wait);
            }
            CallerTransaction transaction = transactionOfThread();
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
                    "The thread was interrupted while it waited for the lock: " + names + ", on " + operation.where(),
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

    private static final Duration UNLIMITED = Duration.ofSeconds(Long.MAX_VALUE);

    /** Ends a lease without blocking: releases it, or leaves it to lapse if that much is left of {@code atLeast}. */
    static CompletionStage<ReleaseOutcome> end(Lease lease, Duration leftToLapse) {
        return leftToLapse.isZero() ? lease.releaseAsync() : lease.lapseAsync(leftToLapse);
    }

    /**
     * What a call holds: a lease, and the lock if the thread owns it.
     *
     * @param owned null for a lease that belongs to no thread
     * @param members the locks that {@code owned} is made of
     * @param acquiredNanos when the call got it
     */
    record Held(
            Lease lease,
            @Nullable DistributedLock owned,
            List<DistributedLock> members,
            LockedOperation operation,
            long acquiredNanos) {

        Held {
            operation.runs();
        }

        /**
         * Releases, or leaves the lock to lapse.
         *
         * @throws LockLostException if {@code lossCounts} and the lease was lost
         */
        void release(boolean lossCounts) {
            Duration left = operation.leftToLapse(acquiredNanos);
            try {
                if (owned != null) {
                    unlock(owned, left);
                } else {
                    try {
                        lease.ensureValid();
                    } finally {
                        close(left);
                    }
                }
            } catch (LockLostException e) {
                if (lossCounts) {
                    throw e;
                }
            }
        }

        private static void unlock(DistributedLock lock, Duration left) {
            if (left.isZero() || lock.holdCount() > 1) {
                lock.unlock();
            } else {
                lock.lapse(left);
            }
        }

        private void close(Duration left) {
            ReleaseOutcome outcome = left.isZero() ? lease.release() : lease.lapse(left);
            if (outcome.isLost()) {
                // Perhaps only the store knew of it.
                lease.ensureValid();
            }
        }

        /** Releases after an exception of the body, which must not be hidden. */
        void releaseQuietly() {
            try {
                release(false);
            } catch (RuntimeException e) {
                warnOfRelease(lease, e);
                lease.close();
            }
        }
    }

    /**
     * Ends a lease as {@link #end} does, for a caller that can do nothing about a refusal: then the lock is released.
     */
    static CompletionStage<ReleaseOutcome> endQuietly(Lease lease, Duration leftToLapse) {
        try {
            return end(lease, leftToLapse);
        } catch (RuntimeException e) {
            warnOfRelease(lease, e);
            return lease.releaseAsync();
        }
    }

    private static void warnOfRelease(Lease lease, RuntimeException cause) {
        LOG.log(
                Level.WARNING,
                "A lock could not be ended as its method wants, and is released at once: " + Printable.of(lease.name()),
                cause);
    }
}
