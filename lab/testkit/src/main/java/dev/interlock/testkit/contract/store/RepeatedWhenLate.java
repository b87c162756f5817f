package dev.interlock.testkit.contract.store;

import dev.interlock.testkit.Patience;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Repeats a test that fails after the store may have forgotten who waits. A store lists a claim that does not ask again
 * for seconds only, and a machine may stand still for longer than that: then the failure says nothing. A failure that
 * comes earlier counts, and so does one that comes without a claim that waits.
 */
final class RepeatedWhenLate implements InvocationInterceptor {

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> context, ExtensionContext extension)
            throws Throwable {
        StoreFixture test = (StoreFixture) extension.getRequiredTestInstance();
        long begun = System.nanoTime();
        try {
            invocation.proceed();
            return;
        } catch (AssertionError e) {
            refuseUnlessLate(e, test, begun);
        }
        while (true) {
            test.clients().closeAll();
            try {
                ReflectionSupport.invokeMethod(
                        context.getExecutable(), test, context.getArguments().toArray());
                return;
            } catch (AssertionError e) {
                refuseUnlessLate(e, test, begun);
            }
        }
    }

    private static void refuseUnlessLate(AssertionError failure, StoreFixture test, long begunNanos) {
        boolean isOver = System.nanoTime() - begunNanos > Patience.limit().toNanos();
        if (isOver || !test.clients().mayBeForgotten()) {
            throw failure;
        }
    }
}
