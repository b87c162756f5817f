package dev.interlock.redis.connection;

import io.lettuce.core.event.Event;
import io.lettuce.core.event.EventBus;
import reactor.core.publisher.Flux;

/** Drops Lettuce's events. Its default bus would start much machinery in every process that takes a lock. */
final class DisabledEventBus implements EventBus {

    @Override
    public Flux<Event> get() {
        return Flux.empty();
    }

    @Override
    public void publish(Event event) {
        // There are no listeners.
    }
}
