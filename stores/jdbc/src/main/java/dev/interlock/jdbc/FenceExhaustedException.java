package dev.interlock.jdbc;

import dev.interlock.spi.StoreRefusal;

/** The tables contain a fence that leaves no larger one. This concerns one name; the connection is usable. */
final class FenceExhaustedException extends StoreRefusal {

    private static final long serialVersionUID = 1;

    FenceExhaustedException(String message) {
        super(message);
    }
}
