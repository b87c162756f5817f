package dev.interlock.annotation.spi;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** One call of an annotated method, as a framework has intercepted it. */
// The annotation of null is for the build and for readers: a user does not need it.
@SuppressWarnings("exports")
public interface Call {

    /** The method that was called: that of the class, or of an interface that it implements. */
    Method method();

    /** The object that has the method, and not a proxy of it. */
    Object target();

    /** What the caller passes. */
    @Nullable
    Object[] arguments();

    /**
     * Calls the method. That may happen several times, on any thread: each subscriber of a publisher has a call of its
     * own.
     *
     * @param arguments in the place of the caller's
     * @return what the method returns
     */
    @Nullable
    Object proceed(@Nullable Object[] arguments) throws Throwable;

    /**
     * Calls another method of the target in its place.
     *
     * @param method takes the same parameters; accessible
     * @return what that returns
     */
    default @Nullable Object proceedBy(Method method) throws Throwable {
        try {
            return method.invoke(target(), arguments());
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
