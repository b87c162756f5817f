package dev.interlock.spi;

import java.util.Locale;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

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

    /**
     * Opens the store of a URI, which selects one of the stores on the class path by its scheme. No I/O.
     *
     * @param uri the URI; spaces and line breaks around it do not count
     * @return a new store
     * @throws IllegalArgumentException if the URI is malformed, or no store on the class path knows its scheme
     * @throws IllegalStateException if the store needs something that is not on the class path
     */
    static LockStore open(String uri) {
        // What is read from a file often ends with a line break.
        String given = Objects.requireNonNull(uri, "uri").strip();
        int colon = given.indexOf(':');
        String scheme = colon < 0 ? "" : given.substring(0, colon).toLowerCase(Locale.ROOT);
        TreeSet<String> known = new TreeSet<>();
        for (LockStoreProvider provider :
                ServiceLoader.load(LockStoreProvider.class, LockStoreProvider.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider.create(given);
            }
            known.addAll(provider.schemes());
        }
        throw new IllegalArgumentException((colon < 0
                        ? "A store URI must begin with a scheme and a colon"
                        : "No store on the class path knows the scheme '" + scheme + "'" + KnownStore.advice(given))
                + "; known are "
                + (known.isEmpty() ? "none: add " + KnownStore.artifacts("or") : known));
    }
}
