package dev.interlock.reactor;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.form.ClosingTable;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.LockSite;
import dev.interlock.testkit.contract.form.Site;
import dev.interlock.testkit.contract.recipe.PermitSite;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The table of closing over publishers. */
class ClosingTest extends ClosingTable {

    private static final Duration LONG = Duration.ofHours(1);

    @Override
    protected Supplier<LockStore> sessions(LongSupplier nanoClock) {
        return new MemoryStore(nanoClock)::session;
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        publishers().forEach(method -> forms.put(named(method), new Publishing(method)));
        return forms;
    }

    /** One that is neither a {@code Mono} nor a {@code Flux} would need a form of its own. */
    @Override
    protected Collection<String> found() {
        return Arrays.stream(ReactiveLocks.class.getMethods())
                .filter(method -> method.getDeclaringClass() == ReactiveLocks.class)
                .map(ClosingTable::named)
                .toList();
    }

    private static Stream<Method> publishers() {
        return Arrays.stream(ReactiveLocks.class.getMethods())
                .filter(method -> Publisher.class.isAssignableFrom(method.getReturnType()));
    }

    private record Publishing(Method method) implements Form {

        private boolean isOfPermits() {
            return method.getParameterTypes()[0] == DistributedSemaphore.class;
        }

        @Override
        public Site site(Interlock other, String name) {
            return isOfPermits() ? new PermitSite(other, name) : new LockSite(other, other.lock(name));
        }

        @Override
        public Call begin(Interlock client, String name, Wait wait, FormBody body) {
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(type -> argument(type, client, name, body))
                    .toArray();
            CompletableFuture<@Nullable String> result;
            try {
                @SuppressWarnings("unchecked") // what the body gives
                Publisher<String> publisher = (Publisher<String>) method.invoke(null, arguments);
                result = Flux.from(publisher)
                        .<@Nullable String>map(value -> value)
                        .single()
                        .toFuture();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("The form cannot be called: " + method, e);
            }
            return new Call() {
                @Override
                public CompletableFuture<@Nullable String> result() {
                    return result;
                }

                @Override
                public void giveUp(String way) {
                    result.cancel(true);
                }
            };
        }

        private static Object argument(Class<?> type, Interlock client, String name, FormBody body) {
            if (type == DistributedLock.class) {
                return client.lock(name);
            } else if (type == DistributedSemaphore.class) {
                return client.semaphore(name, 1);
            } else if (type == int.class) {
                return 1;
            } else if (type == Duration.class) {
                return LONG;
            } else if (type == LeaseTerm.class) {
                return LeaseTerm.fixed(LONG);
            }
            Function<Object, Mono<String>> work = lease -> Mono.fromFuture(body::begin);
            return work;
        }

        @Override
        public List<String> ways() {
            return List.of("dispose");
        }
    }
}
