package dev.interlock.redis.connection;

import io.lettuce.core.event.Event;
import io.lettuce.core.event.EventBus;
import reactor.core.publisher.Flux;

/**
 * Lettuce's own events, for nobody: its usual bus starts a good deal of machinery in every process that takes a first
 * lock.
 */
final class DisabledEventBus implements EventBus {

    @Override
    public Flux<Event> get() {
        return Flux.empty();
    }

    @Override
    public void publish(Event event) {
        // Nobody listens.
    }
}
