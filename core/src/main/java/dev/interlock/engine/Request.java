package dev.interlock.engine;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;

/** What a caller wants: of which name, in which mode, on what terms. */
record Request(LockId id, Mode mode, LockOptions options, LeaseTerm term) {

    /**
     * Whether the caller stands in the store's queue with a claim of its own, as whoever is served in the order of arrival does. Others share a queue in this
     * process, and a claim.
     */
    boolean standsAlone() {
        return mode.inOrder() && id.kind() != LockKind.READ_WRITE;
    }
}
