package dev.interlock.spring;

import dev.interlock.annotation.spi.LockedOperation;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;

/** Runs {@link LeaderOnly} methods while the application leads, and else skips them. Thread-safe. */
public final class LeaderOnlyInterceptor implements MethodInterceptor {

    private final LeaderOnlyMethods methods;
    private final Supplier<LeaderElections> elections;

    /**
     * Runs the methods that {@code methods} finds.
     *
     * @param elections those in which the application stands; asked for by the first call
     */
    public LeaderOnlyInterceptor(LeaderOnlyMethods methods, Supplier<LeaderElections> elections) {
        this.methods = methods;
        this.elections = elections;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type =
                target == null ? invocation.getMethod().getDeclaringClass() : AopProxyUtils.ultimateTargetClass(target);
        String election = target == null ? null : methods.election(invocation.getMethod(), type);
        if (election == null) {
            return invocation.proceed();
        }
        LeaderRole role = elections.get().role(election);
        LeaderRole.Entry entry = role == null ? null : role.enter();
        if (role == null || entry == null) {
            return SpringResultTypes.FORMS.skipped(methods.resultType(invocation.getMethod(), type));
        }
        try {
            if (invocation instanceof ProxyMethodInvocation proxied) {
                proxied.setArguments(LockedOperation.withLease(
                        invocation.getMethod(), invocation.getArguments(), entry.leadership()));
            }
            Object result = invocation.proceed();
            SpringResultTypes.FORMS.requireOver(
                    result, "@LeaderOnly on " + invocation.getMethod().getName());
            return result;
        } finally {
            role.leave(entry);
        }
    }
}
