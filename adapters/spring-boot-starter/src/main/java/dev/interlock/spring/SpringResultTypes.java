package dev.interlock.spring;

import dev.interlock.annotation.spi.PublisherType;
import dev.interlock.annotation.spi.ResultForms;
import dev.interlock.annotation.spi.ResultTypes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/** The results that Spring knows: publishers for which it has adapters, suspending functions, those of its web. */
final class SpringResultTypes implements ResultTypes {

    /** The forms of methods of beans. */
    static final ResultForms FORMS = new ResultForms(new SpringResultTypes());

    static final String REACTOR_TYPE = "reactor.core.publisher.Flux";
    static final String COROUTINES_TYPE = "kotlinx.coroutines.reactor.MonoKt";
    static final String KOTLIN_REFLECT_TYPE = "kotlin.reflect.full.KClasses";

    private static final String REACTOR_CORE = "io.projectreactor:reactor-core";
    private static final String COROUTINES_REACTOR = "org.jetbrains.kotlinx:kotlinx-coroutines-reactor";

    private final boolean reactor = isPresent(REACTOR_TYPE);
    private final ReactiveAdapterRegistry adapters = ReactiveAdapterRegistry.getSharedInstance();

    private SpringResultTypes() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, SpringResultTypes.class.getClassLoader());
    }

    @Override
    public @Nullable PublisherType publisher(Class<?> type) {
        ReactiveAdapter adapter = reactor && type != void.class ? adapters.getAdapter(type) : null;
        return adapter == null ? null : new Adapted(adapter);
    }

    @Override
    public @Nullable String suspendingProblem() {
        List<String> missing = Stream.of(
                        missing(COROUTINES_TYPE, COROUTINES_REACTOR),
                        missing(REACTOR_TYPE, REACTOR_CORE),
                        missing(KOTLIN_REFLECT_TYPE, "org.jetbrains.kotlin:kotlin-reflect"))
                .flatMap(Optional::stream)
                .toList();
        return missing.isEmpty()
                ? null
                : "is on a suspending function, which Spring can call only by " + String.join(" and ", missing)
                        + ": add " + (missing.size() == 1 ? "it" : "them") + " to the class path";
    }

    private static Optional<String> missing(String type, String artefact) {
        return isPresent(type) ? Optional.empty() : Optional.of(artefact);
    }

    @Override
    public Map<String, String> later() {
        Map<String, String> later = new LinkedHashMap<>();
        // Of these Spring has adapters, if it finds what they need.
        later.put("kotlinx.coroutines.flow.Flow", "add " + COROUTINES_REACTOR);
        for (String type : List.of(
                "org.reactivestreams.Publisher",
                "java.util.concurrent.Flow$Publisher",
                "io.reactivex.rxjava3.core.SingleSource",
                "io.reactivex.rxjava3.core.MaybeSource",
                "io.reactivex.rxjava3.core.CompletableSource",
                "io.reactivex.rxjava3.core.ObservableSource",
                "io.smallrye.mutiny.Uni")) {
            later.put(type, "add " + REACTOR_CORE);
        }
        String web = "org.springframework.web.";
        String returnAStage = "return a CompletableFuture";
        later.put(web + "context.request.async.DeferredResult", returnAStage);
        later.put(web + "context.request.async.WebAsyncTask", returnAStage);
        String takeItThere = "lock the method that writes, instead";
        later.put(web + "servlet.mvc.method.annotation.StreamingResponseBody", takeItThere);
        later.put(web + "servlet.mvc.method.annotation.ResponseBodyEmitter", takeItThere);
        return later;
    }

    @Override
    public @Nullable Object empty(Class<?> type) {
        return type == MultiValueMap.class ? new LinkedMultiValueMap<>() : null;
    }

    /** An adapter of Spring. */
    private record Adapted(ReactiveAdapter adapter) implements PublisherType {

        @Override
        public Class<?> type() {
            return adapter.getReactiveType();
        }

        @Override
        public boolean isMultiValue() {
            return adapter.isMultiValue();
        }

        @Override
        public boolean supportsEmpty() {
            return adapter.supportsEmpty();
        }

        @Override
        public Publisher<?> toPublisher(Object result) {
            return adapter.toPublisher(result);
        }

        @Override
        public Object fromPublisher(Publisher<?> publisher) {
            Object adapted = adapter.fromPublisher(publisher);
            return type().getName().equals(LockedFlow.TYPE) ? LockedFlow.stepping(adapted) : adapted;
        }
    }
}
