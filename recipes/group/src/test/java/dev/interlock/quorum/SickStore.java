package dev.interlock.quorum;

import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.StoreRefusal;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Stands before a store that can be listed, some of whose verbs then are not answered, or fail. Verbs are named as
 * their methods.
 */
final class SickStore {

    /** @param arrival executes the request in the store, and then answers it */
    private record Request(String verb, CompletableFuture<?> stage, Runnable arrival) {}

    private final Queue<Request> unanswered = new ConcurrentLinkedQueue<>();
    private final Queue<String> failing = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();
    private volatile Set<String> silent = Set.of();
    private volatile Set<String> refused = Set.of();

    /** From now on these verbs are not answered, and all others are. */
    void silence(String... verbs) {
        silent = Set.of(verbs);
    }

    /** From now on these verbs are refused for good, and all others are not. */
    void refuse(String... verbs) {
        refused = Set.of(verbs);
    }

    /** The next request of this verb fails. */
    void failNext(String verb) {
        failing.add(verb);
    }

    /** Whether a request that is to fail has not come yet. */
    boolean isFailureAhead() {
        return !failing.isEmpty();
    }

    /** How often it has been asked by this verb, answered or not. */
    int asked(String verb) {
        return asked.getOrDefault(verb, 0);
    }

    /** What was asked by this verb and not answered, in the order of the requests. */
    List<CompletableFuture<?>> unanswered(String verb) {
        return unanswered.stream()
                .filter(request -> request.verb().equals(verb))
                .<CompletableFuture<?>>map(Request::stage)
                .toList();
    }

    /** What was asked by this verb and not answered arrives now, also if it was given up; returns how much it was. */
    int arrive(String verb) {
        List<Request> late = unanswered.stream()
                .filter(request -> request.verb().equals(verb))
                .toList();
        unanswered.removeAll(late);
        late.forEach(request -> request.arrival().run());
        return late.size();
    }

    LockStore before(LockStore inner) {
        return (LockStore) Proxy.newProxyInstance(
                SickStore.class.getClassLoader(),
                new Class<?>[] {LockStore.class, LockCatalog.class},
                (proxy, method, arguments) -> {
                    String verb = method.getName();
                    asked.merge(verb, 1, Integer::sum);
                    if (failing.remove(verb)) {
                        return CompletableFuture.failedFuture(new IOException("Failed by the test: " + verb));
                    }
                    if (refused.contains(verb)) {
                        return CompletableFuture.failedFuture(new StoreRefusal("Refused by the test: " + verb));
                    }
                    if (!silent.contains(verb)) {
                        return method.invoke(inner, arguments);
                    }
                    CompletableFuture<Object> stage = new CompletableFuture<>();
                    unanswered.add(new Request(verb, stage, () -> execute(inner, method, arguments, stage)));
                    return stage;
                });
    }

    private static void execute(LockStore inner, Method method, Object[] arguments, CompletableFuture<Object> stage) {
        try {
            var unused = ((CompletionStage<?>) method.invoke(inner, arguments)).whenComplete((answer, failure) -> {
                if (failure == null) {
                    stage.complete(answer);
                } else {
                    stage.completeExceptionally(failure);
                }
            });
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The store could not be asked", e);
        }
    }
}
