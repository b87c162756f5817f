package dev.interlock.spi;

import org.jspecify.annotations.Nullable;

/**
 * A store's final answer to a verb: asking again would bring the same, as for a name that is in use as another kind of
 * lock. Nothing of a claim that is refused in this way is held. The engine does not ask again, and gives the caller an
 * {@link IllegalStateException} with the same message. Only stores make it: an {@code IllegalStateException} of a
 * driver, a pool or an application's code may pass, and says nothing of this kind.
 */
@SuppressWarnings("exports")
public class StoreRefusal extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final boolean ofOtherKind;

    /** @param message what is refused, why, and what to do */
    public StoreRefusal(String message) {
        this(message, null);
    }

    /** @param message what is refused, why, and what to do */
    public StoreRefusal(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private StoreRefusal(String message, @Nullable Throwable cause, boolean ofOtherKind) {
        super(message, cause);
        this.ofOtherKind = ofOtherKind;
    }

    /**
     * {@return the refusal of a name that is in use as another kind of lock, which an inspection of that kind shows}
     *
     * @param message what the name is in use as, and what to do
     */
    public static StoreRefusal ofOtherKind(String message) {
        return new StoreRefusal(message, null, true);
    }

    /** {@return whether the name is in use as another kind of lock} */
    public boolean isOfOtherKind() {
        return ofOtherKind;
    }
}
