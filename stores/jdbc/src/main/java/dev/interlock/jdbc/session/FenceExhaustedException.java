package dev.interlock.jdbc.session;

import dev.interlock.spi.StoreRefusal;

/** The tables contain a fence that leaves no larger one. This concerns one name; the connection is usable. */
public final class FenceExhaustedException extends StoreRefusal {

    private static final long serialVersionUID = 1;

    public FenceExhaustedException(String message) {
        super(message);
    }
}
