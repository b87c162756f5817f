package dev.interlock.spi;

import org.jspecify.annotations.Nullable;

/**
 * A hint of a store that a name may be free for a claim that waits, that a claim may have been ended by force, or that
 * somebody requests or wants a name that a claim holds. It proves nothing: it may have been forged, and the claim then
 * looks in the store.
 *
 * @param id the name
 * @param owner the owner of the claim; null for all claims of this client, if the store does not know which one
 * @param asked true if the claim holds the name and a {@link Mode.Ask} requests it
 * @param wanted true if the claim holds the name, its owner {@linkplain OwnerId#isRetained() may keep it unused}, and
 *     an acquire of another client was busy
 */
@SuppressWarnings("exports")
public record Wake(LockId id, @Nullable OwnerId owner, boolean asked, boolean wanted) {

    /** For a claim that waits; or for one that held the name, and was ended by force. */
    public Wake(LockId id, @Nullable OwnerId owner) {
        this(id, owner, false, false);
    }

    /** For a claim that holds a name which somebody requests. Sending it twice does no harm. */
    public static Wake asked(LockId id, OwnerId owner) {
        return new Wake(id, owner, true, false);
    }

    /** For a claim that may be kept unused, when another client wants the name. Sending it twice does no harm. */
    public static Wake wanted(LockId id, OwnerId owner) {
        return new Wake(id, owner, false, true);
    }
}
