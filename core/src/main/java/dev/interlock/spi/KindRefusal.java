package dev.interlock.spi;

/** A store's refusal of a name that is in use as another kind of lock, which an inspection of that kind shows. */
public final class KindRefusal extends StoreRefusal {

    private static final long serialVersionUID = 1L;

    /** @param message what the name is in use as, and what to do */
    public KindRefusal(String message) {
        super(message);
    }
}
