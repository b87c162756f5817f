package dev.interlock.spi;

/**
 * The owner of a claim: unique to one acquisition, so that an acquisition whose outcome is unknown can be taken back
 * without touching another.
 *
 * @param value the text in the store, {@code <client id>:<decimal>}; other clients of the same format put a thread id
 *     after the colon
 */
public record OwnerId(String value) {

    /** The owner of acquisition {@code sequence} of the client {@code clientId}. */
    public static OwnerId of(String clientId, long sequence) {
        return new OwnerId(clientId + ':' + sequence);
    }

    /** The part before the last colon: the client that made the claim; the whole text if there is no colon. */
    public String clientId() {
        int colon = value.lastIndexOf(':');
        return colon < 0 ? value : value.substring(0, colon);
    }

    @Override
    public String toString() {
        return value;
    }
}
