package dev.interlock.annotation.spi;

import org.reactivestreams.Publisher;

/** How results of a type of publishers are read and made. Thread-safe. */
// Only those who have Reactive Streams implement it.
@SuppressWarnings("exports")
public interface PublisherType {

    /** What {@link #fromPublisher} makes. */
    Class<?> type();

    /** Whether it may have more than one value. */
    boolean isMultiValue();

    /** Whether it may have none. */
    boolean supportsEmpty();

    /** A result of a method as a publisher. */
    Publisher<?> toPublisher(Object result);

    /** A publisher as a result of a method. */
    Object fromPublisher(Publisher<?> publisher);
}
