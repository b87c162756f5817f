package dev.interlock.spi;

import org.jspecify.annotations.Nullable;

/**
 * A hint of a store: that a name may be free for a claim that waits, or that somebody asks for a name that a claim
 * holds. With a succession it is more than a hint.
 *
 * @param id the name
 * @param owner the claim; null if the store does not know which one, and means all of this client
 * @param asked whether the claim holds and is asked to let go, by {@link Mode.Ask}; otherwise it waits
 * @param succession the grant of the claim, if it has been granted while it waited; else null
 */
@SuppressWarnings("exports")
public record Wake(LockId id, @Nullable OwnerId owner, boolean asked, @Nullable Succession succession) {

    /** For a claim that waits. */
    public Wake(LockId id, @Nullable OwnerId owner) {
        this(id, owner, false, null);
    }

    /** For a claim that holds: it is asked to let go. It does no harm to say so twice. */
    public static Wake asked(LockId id, OwnerId owner) {
        return new Wake(id, owner, true, null);
    }

    /** For a claim that has been granted while it waited. */
    public static Wake granted(LockId id, OwnerId owner, Succession succession) {
        return new Wake(id, owner, false, succession);
    }
}
