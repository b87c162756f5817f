package dev.interlock.testkit.server;

import java.util.function.UnaryOperator;

/** Sees what clients send through a {@link FaultProxy}, and may change it. */
@FunctionalInterface
public interface Tap {

    /** Changes nothing. */
    Tap NONE = UnaryOperator::identity;

    /**
     * A client has connected: the function gets the chunks that it sends, one after the other, and returns what is to
     * be passed on in their place. If it throws {@link java.io.UncheckedIOException}, the chunk is lost, and the
     * connection is reset, but no other.
     */
    UnaryOperator<byte[]> connected();

    /**
     * Whether a chunk of a client asks for something, so that it may begin a round trip. What only keeps the connection
     * alive does not.
     */
    default boolean asks(byte[] chunk) {
        return true;
    }
}
