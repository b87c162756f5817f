package dev.interlock.simulation;

import dev.interlock.quorum.SimulatedQuorum;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Sees what becomes of claims in the servers of a quorum, and writes down what that means for the quorum: its claim is
 * granted when the client learns so, kept for as long as a majority keeps it, and gone when all servers have ended it.
 */
final class Majority {

    private final int servers;
    private final History history;
    private final Map<Held, Claimed> claims = new HashMap<>();

    /** A claim of the quorum, whatever its owners in the servers are. */
    private record Held(String name, OwnerId owner) {}

    /** What the servers have of a claim. */
    private static final class Claimed {
        final long[] untilNanos;
        final boolean[] holds;

        /** That of the quorum; 0 before it has granted the claim. */
        long fence;

        Claimed(int servers) {
            this.untilNanos = new long[servers];
            this.holds = new boolean[servers];
        }

        boolean isHeld() {
            for (boolean each : holds) {
                if (each) {
                    return true;
                }
            }
            return false;
        }

        /** Until when a majority keeps it. */
        long untilNanos() {
            long[] sorted = untilNanos.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }
    }

    Majority(int servers, History history) {
        this.servers = servers;
        this.history = history;
    }

    /** The client of the claim learns that the quorum has granted it, as it has asked for since a moment. */
    void grants(LockId id, OwnerId owner, long fence, long sinceNanos) {
        Claimed claimed = claimed(id, owner);
        if (claimed.fence != fence) {
            claimed.fence = fence;
            int name = Server.number(id);
            history.add(Event.Kind.SERVER_GRANTS, Server.processOf(owner), -1, name, fence, sinceNanos);
            seeKept(id, owner, claimed);
        }
    }

    private Claimed claimed(LockId id, OwnerId owner) {
        return claims.computeIfAbsent(new Held(id.name(), owner), held -> new Claimed(servers));
    }

    private void seeKept(LockId id, OwnerId owner, Claimed claimed) {
        int process = Server.processOf(owner);
        history.add(Event.Kind.SERVER_KEEPS, process, -1, Server.number(id), claimed.fence, claimed.untilNanos());
    }

    /** What one of the servers has to say. The registers of the fences are nobody's claims. */
    Witness of(int server) {
        return new Witness() {
            @Override
            public void grants(LockId id, OwnerId owner, long fence) {
                // Of no meaning before a majority has.
            }

            @Override
            public void keeps(LockId id, OwnerId owner, long fence, long untilNanos) {
                if (!Server.isName(id)) {
                    return;
                }
                OwnerId ofQuorum = SimulatedQuorum.ownerOf(owner);
                Claimed claimed = claimed(id, ofQuorum);
                claimed.holds[server] = true;
                claimed.untilNanos[server] = untilNanos;
                if (claimed.fence > 0) {
                    seeKept(id, ofQuorum, claimed);
                }
            }

            @Override
            public void ends(LockId id, OwnerId owner, long fence) {
                if (!Server.isName(id)) {
                    return;
                }
                OwnerId ofQuorum = SimulatedQuorum.ownerOf(owner);
                Claimed claimed = claimed(id, ofQuorum);
                claimed.holds[server] = false;
                if (claimed.fence > 0 && !claimed.isHeld()) {
                    int name = Server.number(id);
                    history.add(Event.Kind.SERVER_ENDS, Server.processOf(owner), -1, name, claimed.fence, 0);
                    history.add(Event.Kind.SERVER_FREE, -1, -1, name, 0, 0);
                }
            }

            @Override
            public void isFree(LockId id) {
                // The quorum is free when no server has what it has granted.
            }
        };
    }
}
