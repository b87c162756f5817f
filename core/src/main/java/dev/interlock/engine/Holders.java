package dev.interlock.engine;

import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The leases on one name, for all that changes nothing about who is served. Not thread-safe: the arbiter's monitor
 * guards it.
 */
final class Holders {

    private final Tenures tenures;

    Holders(Tenures tenures) {
        this.tenures = tenures;
    }

    boolean holds(EngineLease lease) {
        return tenures.of(lease) != null;
    }

    /** The leases on the name, or the shares of it. */
    List<EngineLease> leases(boolean shares) {
        return tenures.all().stream()
                .flatMap(tenure -> tenure.leases().stream().filter(lease -> (lease == tenure.whole()) != shares))
                .toList();
    }

    /**
     * The lease is to last at least {@code wanted}, for which a renewal is about to be sent, unless one is under way;
     * null if the lease is over.
     */
    @Nullable
    Extension extending(EngineLease extended, Duration wanted, long now) {
        Tenure held = tenures.of(extended);
        if (held == null) {
            return null;
        }
        ClaimLife life = held.life();
        Duration asked = life.atLeast(wanted, now);
        CompletableFuture<Void> before = life.isRenewalUnderWay() ? life.renewalEnd() : null;
        if (before == null) {
            life.renewalSent(asked, now);
        }
        return new Extension(before, life.claim().withLease(asked), now);
    }

    /**
     * Somebody asks the claim of this owner to let go; null: any. It is for those who hold it now, not for whom it
     * passes on to.
     */
    void asked(@Nullable OwnerId owner, Effects effects) {
        for (Tenure held : tenures.all()) {
            if (owner == null || owner.equals(held.life().claim().owner())) {
                held.leases().forEach(lease -> lease.asked(effects));
            }
        }
    }

    /** Keeps a callback for when the lease is asked for; false if it is to be called now. */
    boolean listen(EngineLease lease, Runnable callback, long now) {
        if (!lease.addRevocation(callback)) {
            return false;
        }
        Tenure held = tenures.of(lease);
        if (held != null) {
            held.life().announce(now);
        }
        return true;
    }
}
