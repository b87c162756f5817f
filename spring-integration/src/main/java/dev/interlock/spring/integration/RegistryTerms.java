package dev.interlock.spring.integration;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import java.time.Duration;

/** The lease of a registry's locks: as configured, or for a time to live that a caller names. Thread-safe. */
final class RegistryTerms {

    private volatile LockOptions options;
    private volatile boolean ttlsAreRenewed;

    RegistryTerms(LockOptions options) {
        if (!options.isReentrant()) {
            throw new IllegalArgumentException("The locks of a LockRegistry are re-entrant: leave out nonReentrant()");
        }
        this.options = options;
    }

    /** The options of an acquisition that names no time to live. */
    LockOptions options() {
        return options;
    }

    /** The options of an acquisition with this time to live. */
    LockOptions options(Duration ttl) {
        Duration length = raised(ttl);
        return options.lease(ttlsAreRenewed ? LeaseTerm.renewing(length) : LeaseTerm.fixed(length));
    }

    /** From now on every lease is renewed. */
    void renew() {
        ttlsAreRenewed = true;
        LeaseTerm term = options.lease();
        if (!term.isRenewing()) {
            options = options.lease(LeaseTerm.renewing(term.length()));
        }
    }

    /** Shorter leases than Interlock has become the shortest one. */
    static Duration raised(Duration ttl) {
        return ttl.compareTo(LeaseTerm.MIN) < 0 ? LeaseTerm.MIN : ttl;
    }
}
