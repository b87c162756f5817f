package dev.interlock.spring.integration;

import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.form.BlockingForm;
import dev.interlock.testkit.contract.form.ClosingTable;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.util.CheckedCallable;
import org.springframework.integration.util.CheckedRunnable;

/** The table of closing over the locks of a registry, and over a candidate of Spring Integration. */
class ClosingTest extends ClosingTable {

    private static final String GRANTED = "onGranted(Context)";
    private static final String REVOKED = "onRevoked(Context)";

    /** Methods of a lock that bring none. */
    private static final Set<String> NO_FORMS = Set.of("unlock", "newCondition", "toString");

    @Override
    protected Supplier<LockStore> sessions(LongSupplier nanoClock) {
        return new MemoryStore(nanoClock)::session;
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        lockMethods().forEach(method -> forms.put(named(method), new Locking(method)));
        executions().forEach(method -> forms.put(named(method), new Executing(method)));
        forms.put(GRANTED, new Leading(false));
        forms.put(REVOKED, new Leading(true));
        return forms;
    }

    @Override
    protected Collection<String> found() {
        return Stream.of(
                        lockMethods(),
                        executions(),
                        Arrays.stream(Candidate.class.getMethods())
                                .filter(method -> method.getName().startsWith("on")))
                .flatMap(methods -> methods)
                .map(ClosingTable::named)
                .toList();
    }

    private static Stream<Method> lockMethods() {
        return Arrays.stream(KeyLock.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !NO_FORMS.contains(method.getName()));
    }

    private static Stream<Method> executions() {
        return Arrays.stream(LockRegistry.class.getMethods())
                .filter(method -> !method.getName().equals("obtain"));
    }

    private static Object argument(Class<?> type, String name, FormBody body, AtomicReference<@Nullable String> told) {
        if (type == Object.class) {
            return name;
        } else if (type == long.class) {
            return 1L;
        } else if (type == TimeUnit.class) {
            return TimeUnit.HOURS;
        } else if (type == Duration.class) {
            return Duration.ofHours(1);
        } else if (type == CheckedRunnable.class) {
            CheckedRunnable<InterruptedException> work = () -> told.set(body.run());
            return work;
        }
        CheckedCallable<String, InterruptedException> work = () -> {
            told.set(body.run());
            return "returned";
        };
        return work;
    }

    private static @Nullable Object invoke(
            Method method, Object target, String name, FormBody body, AtomicReference<@Nullable String> told)
            throws Exception {
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(type -> argument(type, name, body, told))
                .toArray();
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** A body between a method that locks and {@code unlock}. */
    private static final class Locking extends BlockingForm {
        private final Method method;

        Locking(Method method) {
            this.method = method;
        }

        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            KeyLock lock = Line.registry(client).lock(name);
            if (Boolean.FALSE.equals(invoke(method, lock, name, body, new AtomicReference<>()))) {
                return null;
            }
            try {
                return body.run();
            } finally {
                lock.unlock();
            }
        }
    }

    /** A body that the registry runs. */
    private static final class Executing extends BlockingForm {
        private final Method method;

        Executing(Method method) {
            this.method = method;
        }

        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            AtomicReference<@Nullable String> told = new AtomicReference<>();
            invoke(method, Line.asLockRegistry(Line.registry(client)), name, body, told);
            return told.get();
        }
    }

    /** A body of a candidate, which leads once. Its initiator is stopped with the client, as by a context. */
    private static final class Leading implements Form {
        private final boolean atTheEnd;
        private final Map<Interlock, InterlockLeaderInitiator> initiators = new ConcurrentHashMap<>();

        Leading(boolean atTheEnd) {
            this.atTheEnd = atTheEnd;
        }

        @Override
        public Call begin(Interlock client, String name, Wait wait, FormBody body) {
            CompletableFuture<@Nullable String> result = new CompletableFuture<>();
            InterlockLeaderInitiator initiator =
                    new InterlockLeaderInitiator(client.election(name), new AbstractCandidate("id", "role") {
                        @Override
                        public void onGranted(Context context) throws InterruptedException {
                            if (atTheEnd) {
                                context.yield();
                            } else {
                                work();
                            }
                        }

                        @Override
                        public void onRevoked(Context context) {
                            if (atTheEnd) {
                                try {
                                    work();
                                } catch (InterruptedException e) {
                                    throw new AssertionError(e);
                                }
                            }
                        }

                        private void work() throws InterruptedException {
                            try {
                                result.complete(body.run());
                            } catch (RuntimeException e) {
                                result.completeExceptionally(e);
                                throw e;
                            } finally {
                                // On a thread of its own: the candidate is on that of its candidacy.
                                Objects.requireNonNull(initiators.get(client)).stop(() -> {});
                            }
                        }
                    });
            initiator.setApplicationEventPublisher(event -> {});
            initiators.put(client, initiator);
            initiator.start();
            return new Call() {
                @Override
                public CompletableFuture<@Nullable String> result() {
                    return result;
                }

                @Override
                public void giveUp(String way) {
                    initiator.stop();
                }
            };
        }

        @Override
        public void shutDown(Interlock client, boolean patiently) {
            Objects.requireNonNull(initiators.get(client)).destroy();
            client.close();
        }

        @Override
        public List<String> ways() {
            return List.of("stop");
        }

        /** It is told of the end of its leadership, whatever the store says later. */
        @Override
        public boolean isInterruptedAtTheEnd() {
            return true;
        }
    }
}
