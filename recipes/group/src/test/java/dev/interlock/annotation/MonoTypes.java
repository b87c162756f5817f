package dev.interlock.annotation;

import dev.interlock.annotation.spi.PublisherType;
import dev.interlock.annotation.spi.ResultTypes;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** The results of a framework that knows Monos. */
record MonoTypes() implements ResultTypes, PublisherType {

    @Override
    public @Nullable PublisherType publisher(Class<?> type) {
        return Mono.class.isAssignableFrom(type) ? this : null;
    }

    @Override
    public Class<?> type() {
        return Mono.class;
    }

    @Override
    public boolean isMultiValue() {
        return false;
    }

    @Override
    public boolean supportsEmpty() {
        return true;
    }

    @Override
    public Publisher<?> toPublisher(Object result) {
        return (Publisher<?>) result;
    }

    @Override
    public Object fromPublisher(Publisher<?> publisher) {
        return Mono.from(publisher);
    }
}
