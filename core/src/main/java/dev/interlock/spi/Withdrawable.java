package dev.interlock.spi;

/**
 * An answer that knows whether the server may have received the request: the future behind the stage of a verb. A
 * request that was never sent leaves nothing to take back, and nothing to wait for when the client closes.
 */
public interface Withdrawable {

    /**
     * Called by the engine, which does not wait any more, or has received the failure.
     *
     * @return true if the request was not and will not be sent: the answer is cancelled, unless the store has failed it
     *     before. False if it was sent: then the store completes the answer with the outcome, though a store of several
     *     steps may fail it
     */
    boolean withdraw();

    /**
     * Whether the request waits for its turn behind others that the store sends first: its time has not begun. False by
     * default.
     */
    default boolean isInLine() {
        return false;
    }
}
