package dev.interlock.spi;

import org.jspecify.annotations.Nullable;

/**
 * A hint of a store that a name may be free for a claim that waits, or that somebody requests or wants a name that a
 * claim holds. With a succession it is more than a hint.
 *
 * @param id the name
 * @param owner the owner of the claim; null for all claims of this client, if the store does not know which one
 * @param asked true if the claim holds the name and a {@link Mode.Ask} requests it; false if the claim waits
 * @param wanted true if the claim holds the name, its owner {@linkplain OwnerId#isRetained() may keep it unused}, and
 *     an acquire of another client was busy
 * @param succession the grant of the claim, if it was granted while it waited; otherwise null
 */
@SuppressWarnings("exports")
public record Wake(LockId id, @Nullable OwnerId owner, boolean asked, boolean wanted, @Nullable Succession succession) {

    /** For a claim that waits. */
    public Wake(LockId id, @Nullable OwnerId owner) {
        this(id, owner, false, false, null);
    }

    /** For a claim that holds a name which somebody requests. Sending it twice does no harm. */
    public static Wake asked(LockId id, OwnerId owner) {
        return new Wake(id, owner, true, false, null);
    }

    /** For a claim that may be kept unused, when another client wants the name. Sending it twice does no harm. */
    public static Wake wanted(LockId id, OwnerId owner) {
        return new Wake(id, owner, false, true, null);
    }

    /** For a claim that was granted while it waited. */
    public static Wake granted(LockId id, OwnerId owner, Succession succession) {
        return new Wake(id, owner, false, false, succession);
    }
}
