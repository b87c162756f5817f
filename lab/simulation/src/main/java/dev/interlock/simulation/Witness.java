package dev.interlock.simulation;

import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;

/** Sees what becomes of the claims in a server. */
interface Witness {

    /** The server grants a claim. */
    void grants(LockId id, OwnerId owner, long fence);

    /** It keeps a claim until a moment of the true time. */
    void keeps(LockId id, OwnerId owner, long fence, long untilNanos);

    /** A claim is gone. */
    void ends(LockId id, OwnerId owner, long fence);

    /** Nobody holds the name any more. */
    void isFree(LockId id);

    /** Writes it down: what the only server grants is granted. */
    static Witness of(History history) {
        return new Witness() {
            @Override
            public void grants(LockId id, OwnerId owner, long fence) {
                int name = Server.number(id);
                history.add(Event.Kind.SERVER_GRANTS, Server.processOf(owner), -1, name, fence, history.now());
            }

            @Override
            public void keeps(LockId id, OwnerId owner, long fence, long untilNanos) {
                int name = Server.number(id);
                history.add(Event.Kind.SERVER_KEEPS, Server.processOf(owner), -1, name, fence, untilNanos);
            }

            @Override
            public void ends(LockId id, OwnerId owner, long fence) {
                int name = Server.number(id);
                history.add(Event.Kind.SERVER_ENDS, Server.processOf(owner), -1, name, fence, 0);
            }

            @Override
            public void isFree(LockId id) {
                history.add(Event.Kind.SERVER_FREE, -1, -1, Server.number(id), 0, 0);
            }
        };
    }
}
