package dev.interlock.simulation;

import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;

/** Writes down what the only server does: what it grants is granted. */
record HistoryWitness(History history) implements Witness {

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
}
