package dev.interlock.testkit.store;

/** What a store can be asked. */
public enum Verb {
    /** {@code acquire}. */
    ACQUIRE,
    /** {@code execute}. */
    EXECUTE,
    /** {@code release}. */
    RELEASE,
    /** {@code renew}, for however many claims. */
    RENEW,
    /** {@code inspect}. */
    INSPECT,
    /** {@code list}, of the catalog. */
    LIST
}
