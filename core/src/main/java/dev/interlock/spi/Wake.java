package dev.interlock.spi;

import org.jspecify.annotations.Nullable;

/**
 * A hint of a store. It proves nothing: it may have been forged, may come twice or late, and the claim that it is for
 * looks in the store.
 */
@SuppressWarnings("exports")
public sealed interface Wake {

    /** The name. */
    LockId id();

    /** The owner of the claim; null for all claims of this client, if the store does not know which one. */
    @Nullable
    OwnerId owner();

    /** The same hint of another name. */
    Wake of(LockId other);

    /** The name may be free for a claim that waits, or a claim that held it may have been ended by force. */
    record Changed(LockId id, @Nullable OwnerId owner) implements Wake {
        @Override
        public Wake of(LockId other) {
            return new Changed(other, owner);
        }
    }

    /** A {@link Command.RequestRevocation} asks for what the claim holds. */
    record Requested(LockId id, OwnerId owner) implements Wake {
        @Override
        public Wake of(LockId other) {
            return new Requested(other, owner);
        }
    }

    /**
     * An acquire of another client was busy because of a claim whose owner {@linkplain OwnerId#isRetained() may keep it
     * unused}.
     */
    record Wanted(LockId id, OwnerId owner) implements Wake {
        @Override
        public Wake of(LockId other) {
            return new Wanted(other, owner);
        }
    }
}
