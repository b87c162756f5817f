package dev.interlock.micronaut;

import dev.interlock.annotation.spi.Call;
import dev.interlock.annotation.spi.LockedCalls;
import dev.interlock.annotation.spi.LockedOperation;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has {@link LockedCalls} run the calls of locked methods that Micronaut intercepts. Thread-safe. */
@Singleton
@InterceptorBean(LockedAdvice.class)
final class LockedInterceptor implements MethodInterceptor<Object, Object> {

    /** Inside of retries and of other threads, outside of transactions. */
    private static final int ORDER = InterceptPhase.TRANSACTION.getPosition() - 10;

    private final LockedMethods methods;
    private final LockedCalls calls;

    LockedInterceptor(LockedMethods methods, MicronautFramework framework) {
        this.methods = methods;
        this.calls = new LockedCalls(framework);
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        Object target = context.getTarget();
        List<LockedOperation> operations = methods.operations(context.getExecutableMethod(), target.getClass());
        if (operations.isEmpty()) {
            return context.proceed();
        }
        try {
            return calls.run(new Intercepted(context, this), operations);
        } catch (Throwable e) {
            throw LockedInterceptor.<RuntimeException>unchecked(e);
        }
    }

    /** Callers get what the method declares, as without the interceptor. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(Throwable failure) throws T {
        throw (T) failure;
    }

    /** A call of a bean. */
    private static final class Intercepted implements Call {

        private final MethodInvocationContext<Object, Object> context;
        private final LockedInterceptor interceptor;

        /** What the caller has passed: the context's array gets what the method is called with. */
        private final @Nullable Object[] passed;

        Intercepted(MethodInvocationContext<Object, Object> context, LockedInterceptor interceptor) {
            this.context = context;
            this.interceptor = interceptor;
            this.passed = context.getParameterValues().clone();
        }

        @Override
        public Method method() {
            return context.getTargetMethod();
        }

        @Override
        public Object target() {
            return context.getTarget();
        }

        @Override
        public @Nullable Object[] arguments() {
            return passed.clone();
        }

        /**
         * One after the other: subscribers of a publisher share the context, which has the arguments, and the place in
         * the chain. What is inside only makes a publisher then.
         */
        @Override
        public synchronized @Nullable Object proceed(@Nullable Object[] arguments) {
            System.arraycopy(arguments, 0, context.getParameterValues(), 0, arguments.length);
            return context.proceed(interceptor);
        }
    }
}
