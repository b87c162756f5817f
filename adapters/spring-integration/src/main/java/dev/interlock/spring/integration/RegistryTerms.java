package dev.interlock.spring.integration;

import dev.interlock.LeaseTerm;
import java.time.Duration;

/** The lease of a registry's locks: as configured, or for a time to live that a caller names. Thread-safe. */
final class RegistryTerms {

    private volatile LeaseTerm term;
    private volatile boolean ttlsAreRenewed;

    RegistryTerms(LeaseTerm term) {
        this.term = term;
    }

    /** The term of an acquisition that names no time to live. */
    LeaseTerm term() {
        return term;
    }

    /** The term of an acquisition with this time to live. */
    LeaseTerm term(Duration ttl) {
        Duration length = raised(ttl);
        return ttlsAreRenewed ? LeaseTerm.renewing(length) : LeaseTerm.fixed(length);
    }

    /** From now on every lease is renewed. */
    void renew() {
        ttlsAreRenewed = true;
        if (!term.isRenewing()) {
            term = LeaseTerm.renewing(term.length());
        }
    }

    /** Shorter leases than Interlock has become the shortest one. */
    static Duration raised(Duration ttl) {
        return ttl.compareTo(LeaseTerm.MIN) < 0 ? LeaseTerm.MIN : ttl;
    }
}
