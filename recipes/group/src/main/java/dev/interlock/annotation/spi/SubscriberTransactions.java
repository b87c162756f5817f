package dev.interlock.annotation.spi;

import org.reactivestreams.Publisher;

/** The transactions that subscribers have in their contexts. Thread-safe. */
// Only those who have Reactive Streams implement it.
@SuppressWarnings("exports")
@FunctionalInterface
public interface SubscriberTransactions {

    /** The transaction of whoever subscribes to this; empty if it has none. */
    Publisher<CallerTransaction> ofSubscriber();
}
