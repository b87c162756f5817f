package dev.interlock.micronaut;

import dev.interlock.annotation.spi.PublisherType;
import dev.interlock.annotation.spi.ResultTypes;
import io.micronaut.core.reflect.ClassUtils;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The publishers that methods may return: those of Reactor, if the application has it. */
final class ReactorTypes implements ResultTypes {

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", ReactorTypes.class.getClassLoader());

    @Override
    public @Nullable PublisherType publisher(Class<?> type) {
        return REACTOR && Publisher.class.isAssignableFrom(type)
                ? new OfReactor(Mono.class.isAssignableFrom(type))
                : null;
    }

    private record OfReactor(boolean isMono) implements PublisherType {

        @Override
        public Class<?> type() {
            return isMono ? Mono.class : Flux.class;
        }

        @Override
        public boolean isMultiValue() {
            return !isMono;
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
            return isMono ? Mono.from(publisher) : Flux.from(publisher);
        }
    }
}
