package dev.interlock.engine;

import dev.interlock.engine.PendingRelease.Outstanding;
import dev.interlock.spi.Claim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one name: the one that callers are served by, and those put aside. Not thread-safe: the arbiter's
 * monitor guards it.
 */
final class Tenures {

    private final EngineCore core;

    /** From its first request to its last lease; null if there is none. */
    private @Nullable Tenure present;

    /** Held claims that only keep what leases they have. */
    private List<Tenure> aside = List.of();

    Tenures(EngineCore core) {
        this.core = core;
    }

    /** The claim that callers are served by, or will be; null if there is none. */
    @Nullable
    Tenure present() {
        return present;
    }

    void present(Tenure fresh) {
        present = fresh;
    }

    /** The others, as they are now. */
    List<Tenure> aside() {
        return aside;
    }

    boolean isEmpty() {
        return present == null && aside.isEmpty();
    }

    /** All, as they are now. */
    List<Tenure> all() {
        Tenure tenure = present;
        if (aside.isEmpty()) {
            return tenure == null ? List.of() : List.of(tenure);
        }
        List<Tenure> all = new ArrayList<>(aside);
        if (tenure != null) {
            all.add(tenure);
        }
        return all;
    }

    /** Whether it is known that the lock is not free: it is held here, or the store's last word was busy. */
    boolean isKnown() {
        return present != null && (present.isHeld() || present.isIn(ClaimState.WAITING));
    }

    /** When something is due for a held claim next. */
    long dueNanos() {
        long due = present != null && present.isHeld() ? present.dueNanos() : Waiter.FOREVER;
        for (Tenure other : aside) {
            due = Math.min(due, other.dueNanos());
        }
        return due;
    }

    @Nullable
    Tenure of(ClaimLife life) {
        Tenure tenure = present;
        if (tenure != null && tenure.life() == life) {
            return tenure;
        }
        return aside.stream().filter(other -> other.life() == life).findFirst().orElse(null);
    }

    /** The claim of a lease; null if the lease is over. */
    @Nullable
    Tenure of(EngineLease lease) {
        Tenure tenure = of(lease.life());
        return tenure != null && tenure.holds(lease) ? tenure : null;
    }

    /** It is over for this name, whatever the store has of it. */
    void drop(Tenure gone) {
        if (gone == present) {
            present = null;
        } else {
            aside = aside.stream().filter(other -> other != gone).toList();
        }
    }

    /** Readers keep the claim, and whoever comes next needs another. */
    void putAside(Tenure held) {
        present = null;
        List<Tenure> others = new ArrayList<>(aside);
        others.add(held);
        aside = List.copyOf(others);
        held.open();
    }

    /** As {@link #takeBack}, of one that was not lost. */
    void giveBack(Tenure held, Effects effects) {
        held.life().releasing();
        takeBack(held, effects);
    }

    /** A held claim is dropped, and released in the store. */
    void takeBack(Tenure held, Effects effects) {
        drop(held);
        Claim claim = held.life().claim();
        long until = held.life().endsInStoreNanos();
        effects.release(
                core.pendingReleases(), claim, until, held.isUnsure() ? Outstanding.CONVERSION : Outstanding.NOTHING);
    }
}
