package dev.interlock.spi;

/** What became of a claim that was to be renewed. */
public enum Renewal {
    /** It stands, and its lease has been set anew. */
    HELD,
    /** It is gone, and somebody else's stands in its place. */
    TAKEN,
    /** It is gone, and nothing stands in its place: deleted, evicted, or expired in the store. */
    DELETED,
    /** It is gone because somebody released it by force. */
    FORCED
}
