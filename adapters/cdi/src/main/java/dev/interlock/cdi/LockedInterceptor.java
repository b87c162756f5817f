package dev.interlock.cdi;

import dev.interlock.annotation.spi.Call;
import dev.interlock.annotation.spi.LockedOperation;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Intercepted;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the calls of methods with {@link dev.interlock.annotation.Locked} under their locks. Outside of
 * {@code @Transactional}, so that the release follows the commit. Thread-safe.
 */
// The annotation of null is for the build and for readers: a user does not need it.
@SuppressWarnings("exports")
@HoldsLocks
@Interceptor
@Priority(LockedInterceptor.PRIORITY)
public class LockedInterceptor {

    /** That of {@code @Transactional} is 100 more, and so further inside. */
    static final int PRIORITY = Interceptor.Priority.PLATFORM_BEFORE + 100;

    private final CdiFramework framework;
    private final Class<?> type;

    /** For the container, one for each bean. */
    @Inject
    public LockedInterceptor(CdiFramework framework, @Intercepted Bean<?> bean) {
        this.framework = framework;
        this.type = bean.getBeanClass();
    }

    /** Runs a call. */
    @AroundInvoke
    public @Nullable Object run(InvocationContext context) throws Exception {
        List<LockedOperation> operations = framework.methods().operations(context.getMethod(), type);
        if (operations.isEmpty()) {
            return context.proceed();
        }
        try {
            return framework.calls().run(new BeanCall(context), operations);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    /** A call of a bean. */
    private static final class BeanCall implements Call {

        private final InvocationContext context;

        /**
         * From the arguments to the call with them: each subscriber has its own. No monitor: threads may be virtual.
         */
        private final ReentrantLock proceeding = new ReentrantLock();

        BeanCall(InvocationContext context) {
            this.context = context;
        }

        @Override
        public Method method() {
            return context.getMethod();
        }

        @Override
        public Object target() {
            return context.getTarget();
        }

        @Override
        public @Nullable Object[] arguments() {
            return context.getParameters();
        }

        @Override
        public @Nullable Object proceed(@Nullable Object[] arguments) throws Throwable {
            proceeding.lock();
            try {
                context.setParameters(arguments);
                return context.proceed();
            } finally {
                proceeding.unlock();
            }
        }
    }
}
