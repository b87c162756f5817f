package dev.interlock.cdi;

import dev.interlock.annotation.spi.PublisherType;
import dev.interlock.annotation.spi.ResultTypes;
import java.util.Map;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.adapter.JdkFlowAdapter;

/** Publishers of the JDK and of Mutiny. Reactor runs what waits for locks, so they need it. */
final class CdiResultTypes implements ResultTypes {

    private static final String REMEDY = "add io.projectreactor:reactor-core";

    private final boolean reactor = isPresent("reactor.core.publisher.Flux");
    private final boolean mutiny = isPresent("io.smallrye.mutiny.Uni");

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, CdiResultTypes.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    @Override
    public @Nullable PublisherType publisher(Class<?> type) {
        if (!reactor) {
            return null;
        }
        PublisherType ofMutiny = mutiny ? MutinyType.of(type) : null;
        return ofMutiny == null && Flow.Publisher.class.isAssignableFrom(type) ? FlowType.INSTANCE : ofMutiny;
    }

    @Override
    public Map<String, String> later() {
        return reactor
                ? Map.of()
                : Map.of("java.util.concurrent.Flow$Publisher", REMEDY, "io.smallrye.mutiny.Uni", REMEDY);
    }

    /** The publishers of the JDK. */
    private enum FlowType implements PublisherType {
        INSTANCE;

        @Override
        public Class<?> type() {
            return Flow.Publisher.class;
        }

        @Override
        public boolean isMultiValue() {
            return true;
        }

        @Override
        public boolean supportsEmpty() {
            return true;
        }

        @Override
        public Publisher<?> toPublisher(Object result) {
            return JdkFlowAdapter.flowPublisherToFlux((Flow.Publisher<?>) result);
        }

        @Override
        public Object fromPublisher(Publisher<?> publisher) {
            return JdkFlowAdapter.publisherToFlowPublisher(publisher);
        }
    }
}
