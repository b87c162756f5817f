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
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
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

    private static final boolean TRANSACTIONS =
            ClassUtils.isPresent(TRANSACTIONS_TYPE, LockedInterceptor.class.getClassLoader());
    private static final boolean REACTOR = ClassUtils.isPresent(REACTOR_TYPE, LockedInterceptor.class.getClassLoader());

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
        if (CompletionStage.class.isAssignableFrom(invocation.getMethod().getReturnType())) {
            return new StageLocking(this, running.get()).run(call, 0);
        }
        if (REACTOR && ReactiveLocking.handles(invocation.getMethod())) {
            return new ReactiveLocking(this, running.get()).run(call);
        }
        return run(call, 0);
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
    }

    // ---- synchronous methods

    private @Nullable Object run(Call call, int index) throws Throwable {
        RunningMethods counted = running.get();
        counted.enter();
        counted.descend();
        try {
            return runLocked(call, index, call.invocation().getArguments());
        } finally {
            counted.ascend();
            counted.leave();
        }
    }

    private @Nullable Object runLocked(Call call, int index, @Nullable Object[] args) throws Throwable {
        if (index == call.operations().size()) {
            return call.proceed(args);
        }
        LockedOperation operation = call.operations().get(index);
        List<String> names = names(call, operation);
        Held held;
        try {
            held = acquire(operation, names);
        } catch (StoreUnavailableException e) {
            return switch (operation.annotation().onUnavailable()) {
                case THROW -> throw e;
                case SKIP -> skipped(operation);
                case PROCEED -> {
                    warnOfRunningWithout(operation, names, e);
                    yield runLocked(call, index + 1, LockedOperation.withLease(operation.method(), args, null));
                }
            };
        }
        if (held == null) {
            return busy(call, operation, names);
        }
        return runHeld(call, index, LockedOperation.withLease(operation.method(), args, held.lease()), held);
    }

    private @Nullable Object runHeld(Call call, int index, @Nullable Object[] args, Held held) throws Throwable {
        Locked.OnLost onLost = call.operations().get(index).annotation().onLost();
        Interruption interruption = onLost == Locked.OnLost.INTERRUPT ? Interruption.on(held.lease()) : null;
        boolean untilCompletion;
        try {
            untilCompletion = TRANSACTIONS && ReleaseAfterTransaction.register(held, onLost);
        } catch (RuntimeException | Error e) {
            held.releaseQuietly();
            throw e;
        }
        Object result;
        try {
            result = runLocked(call, index + 1, args);
        } catch (Throwable thrown) {
            boolean interrupted = interruption != null && interruption.end();
            if (!untilCompletion) {
                held.releaseQuietly();
            }
            if (interrupted && thrown instanceof InterruptedException) {
                throw lost(held, thrown);
            }
            throw thrown;
        }
        if (interruption != null) {
            interruption.end();
        }
        if (untilCompletion) {
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

    List<String> names(Call call, LockedOperation operation) {
        return operation.names(call.target(), call.invocation().getArguments(), beans);
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
            return skipped(operation);
        }
        throw new LockBusyException(
                names,
                "The lock was not available within the wait: " + names + ", waitAtMost=" + operation.waitLimit()
                        + ", on " + operation.where());
    }

    /** The result of a method that does not run. */
    static @Nullable Object skipped(LockedOperation operation) {
        return skipped(operation.method().getReturnType());
    }

    /** The result of a method of this return type that does not run. */
    static @Nullable Object skipped(Class<?> type) {
        if (type == Optional.class) {
            return Optional.empty();
        }
        return type.isPrimitive() && type != void.class ? java.lang.reflect.Array.get(oneOf(type), 0) : null;
    }

    /** An array of one element has the default value of a primitive type. */
    private static Object oneOf(Class<?> primitive) {
        return java.lang.reflect.Array.newInstance(primitive, 1);
    }

    static void warnOfRunningWithout(LockedOperation operation, List<String> names, Throwable cause) {
        LOG.log(
                Level.WARNING,
                "Running WITHOUT the lock, because the store did not answer and onUnavailable = PROCEED: " + names
                        + ", on " + operation.where(),
                cause);
    }

    private Interlock client(LockedOperation operation) {
        String name = operation.annotation().client();
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

    private DistributedLock lock(LockedOperation operation, List<String> names) {
        Interlock client = client(operation);
        List<DistributedLock> locks = names.stream()
                .map(name -> switch (operation.annotation().kind()) {
                    case READ ->
                        client.readWriteLock(name, options(operation, name)).readLock();
                    case WRITE ->
                        client.readWriteLock(name, options(operation, name)).writeLock();
                    default -> client.lock(name, options(operation, name));
                })
                .toList();
        return locks.size() == 1 ? locks.get(0) : MultiLock.of(locks);
    }

    /** Acquires in the calling thread; null if the wait ended without the lock. */
    private @Nullable Held acquire(LockedOperation operation, List<String> names) {
        Duration wait = operation.waitLimit();
        try {
            if (operation.annotation().kind() == Locked.Kind.PERMITS) {
                return permits(operation, names, wait);
            }
            DistributedLock lock = lock(operation, names);
            if (wait == null) {
                lock.lockInterruptibly();
            } else if (!lock.tryLock(wait)) {
                return null;
            }
            return new Held(lock.heldLease(), lock, operation, System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockBusyException(
                    names,
                    "The thread was interrupted while it waited for the lock: " + names + ", on " + operation.where());
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
        return lease == null ? null : new Held(lease, null, operation, System.nanoTime());
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
        return lock(operation, names).tryAcquireAsync(wait == null ? UNLIMITED : wait);
    }

    private static final Duration UNLIMITED = Duration.ofSeconds(Long.MAX_VALUE);

    /**
     * Ends a lease without blocking: releases it, or leaves it to lapse if that much is left of {@code atLeast}. Fails
     * with an {@link UnsupportedOperationException}, after the release, if the store cannot keep the lock.
     */
    static CompletionStage<ReleaseOutcome> end(Lease lease, Duration leftToLapse) {
        if (leftToLapse.isZero()) {
            return lease.releaseAsync();
        }
        try {
            return lease.lapseAsync(leftToLapse);
        } catch (UnsupportedOperationException e) {
            return lease.releaseAsync().thenCompose(outcome -> CompletableFuture.failedStage(e));
        }
    }

    /**
     * What a call holds: a lease, and the lock if the thread owns it.
     *
     * @param owned null for a lease that belongs to no thread
     * @param acquiredNanos when the call got it
     */
    record Held(Lease lease, @Nullable DistributedLock owned, LockedOperation operation, long acquiredNanos) {

        /**
         * Releases, or leaves the lock to lapse.
         *
         * @throws LockLostException if {@code lossCounts} and the lease was lost
         * @throws UnsupportedOperationException after the release, if the store cannot leave a lock to lapse
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
                return;
            }
            try {
                lock.lapse(left);
            } catch (UnsupportedOperationException e) {
                lock.unlock();
                throw e;
            }
        }

        private void close(Duration left) {
            if (left.isZero()) {
                lease.close();
                return;
            }
            try {
                var unused = lease.lapse(left);
            } catch (UnsupportedOperationException e) {
                lease.close();
                throw e;
            }
        }

        /** Releases after an exception of the body, which must not be hidden. */
        void releaseQuietly() {
            try {
                release(false);
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "A lock could not be released and will end with its lease: " + lease.name(), e);
            }
        }
    }
}
