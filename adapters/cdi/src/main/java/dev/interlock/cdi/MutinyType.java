package dev.interlock.cdi;

import dev.interlock.annotation.spi.PublisherType;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.adapter.JdkFlowAdapter;

/** The publishers of Mutiny. Only looked at if there is Mutiny. */
enum MutinyType implements PublisherType {
    UNI(Uni.class) {
        @Override
        public Publisher<?> toPublisher(Object result) {
            return JdkFlowAdapter.flowPublisherToFlux(
                    ((Uni<?>) result).convert().toPublisher());
        }

        @Override
        public Object fromPublisher(Publisher<?> publisher) {
            return Uni.createFrom().publisher(JdkFlowAdapter.publisherToFlowPublisher(publisher));
        }
    },
    MULTI(Multi.class) {
        @Override
        public Publisher<?> toPublisher(Object result) {
            return JdkFlowAdapter.flowPublisherToFlux((Flow.Publisher<?>) result);
        }

        @Override
        public Object fromPublisher(Publisher<?> publisher) {
            return Multi.createFrom().publisher(JdkFlowAdapter.publisherToFlowPublisher(publisher));
        }
    };

    private final Class<?> type;

    MutinyType(Class<?> type) {
        this.type = type;
    }

    /** That of a class; null if it is none of Mutiny. */
    static @Nullable PublisherType of(Class<?> type) {
        if (Uni.class.isAssignableFrom(type)) {
            return UNI;
        }
        return Multi.class.isAssignableFrom(type) ? MULTI : null;
    }

    @Override
    public Class<?> type() {
        return type;
    }

    @Override
    public boolean isMultiValue() {
        return this == MULTI;
    }

    /** A Uni without a value has null. */
    @Override
    public boolean supportsEmpty() {
        return true;
    }
}
