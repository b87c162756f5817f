package dev.interlock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/** Which methods a proxy of Spring can intercept. */
final class ProxyableMethods {

    /** Whether beans are proxied by their classes, as Boot does by default, also if they have an interface. */
    private static final String BY_CLASS = "${spring.aop.proxy-target-class:true}";

    private ProxyableMethods() {}

    /**
     * Why no proxy can intercept a method, and what to do; null if one can.
     *
     * @param type the class of the bean
     * @param placeholders knows the application's properties
     */
    static @Nullable String problem(Method method, Class<?> type, StringValueResolver placeholders) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            return "is on a method that is private, static or final, which no proxy can intercept: make it an instance"
                    + " method that is neither private nor final (in Kotlin: open)";
        }
        if (!Modifier.isFinal(type.getModifiers()) || isMadeOfAnInterface(type)) {
            return null;
        }
        if (!"false".equals(placeholders.resolveStringValue(BY_CLASS))) {
            return "is on a method of a final class, which no proxy can extend: remove 'final' (in Kotlin: make it"
                    + " open), or set spring.aop.proxy-target-class=false and let the class implement an interface that"
                    + " has the method";
        }
        return isOfAnInterface(method, type)
                ? null
                : "is on a method of a final class that is in no interface, so no proxy can have it: remove 'final', or"
                        + " let the class implement an interface that has the method";
    }

    /**
     * The method that says how a call is locked: that of the class of the bean, or of the interface if the class is
     * made of that, as those of clients and repositories are.
     *
     * @param type the class of the bean, which is no proxy of Spring by class
     */
    static Method telling(Method method, Class<?> type) {
        return isMadeOfAnInterface(type)
                ? ClassUtils.getInterfaceMethodIfPossible(method, type)
                : AopUtils.getMostSpecificMethod(method, type);
    }

    /** Whether a method is for users of the bean, and not what a class made of an interface has besides. */
    static boolean isCalledByUsers(Method method, Class<?> type) {
        return !isMadeOfAnInterface(type) || method.getDeclaringClass().isInterface();
    }

    /** A final class, of which Spring makes a proxy by its interfaces nevertheless. */
    private static boolean isMadeOfAnInterface(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    private static boolean isOfAnInterface(Method method, Class<?> type) {
        for (Class<?> implemented : ClassUtils.getAllInterfacesForClass(type)) {
            if (ClassUtils.hasMethod(implemented, method.getName(), method.getParameterTypes())) {
                return true;
            }
        }
        return false;
    }
}
