package dev.interlock.spring;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.SkipObserver;
import dev.interlock.annotation.spi.Call;
import dev.interlock.annotation.spi.CallerTransaction;
import dev.interlock.annotation.spi.Framework;
import dev.interlock.annotation.spi.LockedCalls;
import dev.interlock.annotation.spi.LockedOperation;
import dev.interlock.annotation.spi.RunningMethods;
import dev.interlock.annotation.spi.SubscriberTransactions;
import java.lang.reflect.Method;
import java.util.List;
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

/** Has {@link LockedCalls} run the calls of {@link Locked} methods that Spring intercepts. Thread-safe. */
public final class LockedInterceptor implements MethodInterceptor {

    /** Of transactions: an application may have them. */
    static final String TRANSACTIONS_TYPE = "org.springframework.transaction.support.TransactionSynchronizationManager";

    private static final boolean TRANSACTIONS =
            ClassUtils.isPresent(TRANSACTIONS_TYPE, LockedInterceptor.class.getClassLoader());

    private final LockedMethods methods;
    private final LockedCalls calls;

    /**
     * Runs the methods that {@code methods} finds.
     *
     * @param beans has the clients
     * @param options the options of the lock of a name, before an annotation changes them
     * @param running counts the methods that run; asked for by the first call
     */
    public LockedInterceptor(
            LockedMethods methods,
            BeanFactory beans,
            Function<String, LockOptions> options,
            Supplier<RunningMethods> running) {
        this.methods = methods;
        this.calls = new LockedCalls(new OfSpring(beans, options, running));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type =
                target == null ? invocation.getMethod().getDeclaringClass() : AopProxyUtils.ultimateTargetClass(target);
        List<LockedOperation> operations = methods.operations(invocation.getMethod(), type);
        return operations.isEmpty() || target == null
                ? invocation.proceed()
                : calls.run(new Intercepted(invocation, target), operations);
    }

    /** A call of a bean. */
    private record Intercepted(MethodInvocation invocation, Object target) implements Call {

        @Override
        public Method method() {
            return invocation.getMethod();
        }

        @Override
        public @Nullable Object[] arguments() {
            return invocation.getArguments();
        }

        @Override
        public @Nullable Object proceed(@Nullable Object[] arguments) throws Throwable {
            return invocation instanceof ProxyMethodInvocation proxied
                    ? proxied.invocableClone(arguments).proceed()
                    : invocation.proceed();
        }

        /** As Spring calls methods: also suspending functions. */
        @Override
        public @Nullable Object proceedBy(Method method) throws Throwable {
            return AopUtils.invokeJoinpointUsingReflection(target, method, arguments());
        }
    }

    /** What is looked up among the beans, and in Spring's transactions. */
    private record OfSpring(
            BeanFactory beans, Function<String, LockOptions> lockOptions, Supplier<RunningMethods> counted)
            implements Framework {

        @Override
        public Interlock client(String name) {
            if (name.isEmpty()) {
                return beans.getBean(Interlock.class);
            }
            return beans.containsBean(name)
                    ? beans.getBean(name, Interlock.class)
                    : BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, Interlock.class, name);
        }

        @Override
        public LockOptions options(String name) {
            return lockOptions.apply(name);
        }

        @Override
        public RunningMethods running() {
            return counted.get();
        }

        @Override
        public void skipped(String method) {
            beans.getBeanProvider(SkipObserver.class).orderedStream().forEach(observer -> observer.skipped(method));
        }

        @Override
        public @Nullable CallerTransaction transaction() {
            return TRANSACTIONS ? ReleaseAfterTransaction.ofThread() : null;
        }

        /** Asked for publishers only, and so with Reactor. */
        @Override
        public @Nullable SubscriberTransactions subscriberTransactions() {
            return TRANSACTIONS ? ReleaseAfterReactiveTransaction::ofTheSubscriber : null;
        }
    }
}
