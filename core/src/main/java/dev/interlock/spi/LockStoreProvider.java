package dev.interlock.spi;

import java.util.Set;

/**
 * Finds a store by the scheme of a URI. Implementations are services ({@link java.util.ServiceLoader}) with a public
 * constructor without parameters.
 */
public interface LockStoreProvider {

    /** The schemes this provider knows, in lower case, without the colon. */
    Set<String> schemes();

    /**
     * Creates the store without any I/O.
     *
     * @param uri the whole URI; it may contain a password, which no message may repeat
     * @throws IllegalArgumentException if the URI is malformed; the message names the rule and the offending part,
     *     never a password
     * @throws IllegalStateException if something is not on the class path that the store needs; the message says what
     */
    LockStore create(String uri);
}
