package dev.interlock.testkit.contract.form;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Each method of a lock that runs a body, taken by reflection, as a form. */
public final class BodyForms {

    private static final Duration LONG = Duration.ofHours(1);

    private BodyForms() {}

    /**
     * The forms of one kind of lock, by names that begin with that of the kind.
     *
     * @param opener the lock of a name
     * @param excludes what excludes everybody who is inside, of the same name
     */
    public static Map<String, Form> of(
            String kind,
            BiFunction<Interlock, String, DistributedLock> opener,
            BiFunction<Interlock, String, DistributedLock> excludes) {
        Map<String, Form> forms = new LinkedHashMap<>();
        Arrays.stream(DistributedLock.class.getMethods())
                .filter(BodyForms::runsABody)
                .forEach(method ->
                        forms.put(kind + "." + ClosingTable.named(method), new BodyForm(opener, excludes, method)));
        return forms;
    }

    private static boolean runsABody(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .anyMatch(type -> type == Runnable.class || type == Callable.class);
    }

    private static final class BodyForm extends BlockingForm {
        private final BiFunction<Interlock, String, DistributedLock> opener;
        private final BiFunction<Interlock, String, DistributedLock> excludes;
        private final Method method;

        BodyForm(
                BiFunction<Interlock, String, DistributedLock> opener,
                BiFunction<Interlock, String, DistributedLock> excludes,
                Method method) {
            this.opener = opener;
            this.excludes = excludes;
            this.method = method;
        }

        @Override
        public Site site(Interlock other, String name) {
            return new LockSite(other, excludes.apply(other, name));
        }

        /** Waits for long if the method may, whatever the caller wants. */
        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            AtomicReference<@Nullable String> told = new AtomicReference<>();
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(type -> argument(type, body, told))
                    .toArray();
            try {
                Object result = method.invoke(opener.apply(client, name), arguments);
                return result instanceof Optional<?> optional
                        ? (String) optional.orElse(null)
                        : result instanceof String value ? value : told.get();
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        private static Object argument(Class<?> type, FormBody body, AtomicReference<@Nullable String> told) {
            if (type == Duration.class) {
                return LONG;
            }
            Callable<String> called = body::run;
            Runnable run = () -> {
                try {
                    told.set(body.run());
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            };
            return type == Runnable.class ? run : called;
        }
    }
}
