package dev.interlock.redis;

import dev.interlock.redis.command.Reply;
import dev.interlock.support.Host;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The masters of the slots of a cluster, as one of its servers reports them. Immutable. */
final class SlotMap {

    private static final int SLOTS = 16_384;
    private static final int LAST_PORT = 65_535;

    /** Stands for the host of the server that was asked. */
    private static final String UNKNOWN_HOST = "?";

    static final SlotMap EMPTY = new SlotMap(new Host[SLOTS]);

    private final @Nullable Host[] bySlot;
    private final Set<Host> masters = new LinkedHashSet<>();

    private SlotMap(@Nullable Host[] bySlot) {
        this.bySlot = bySlot;
        Host last = null;
        for (Host address : bySlot) {
            if (address != null && !address.equals(last)) {
                masters.add(address);
                last = address;
            }
        }
    }

    /**
     * Parses the reply to {@code CLUSTER SLOTS}.
     *
     * @param askedHost the host of the server that was asked, for servers whose host the reply leaves out
     * @throws RuntimeException if it is no such reply
     */
    static SlotMap of(Reply reply, String askedHost) {
        Iterator<Integer> lengths = reply.lengths().iterator();
        Iterator<String> values = reply.elements().iterator();
        @Nullable Host[] bySlot = new Host[SLOTS];
        int ranges = lengths.next();
        for (int range = 0; range < ranges; range++) {
            int servers = lengths.next() - 2;
            int from = Integer.parseInt(values.next());
            int to = Integer.parseInt(values.next());
            for (int server = 0; server < servers; server++) {
                Host address = server(lengths, values, askedHost);
                if (server == 0) {
                    // The master comes first.
                    Arrays.fill(bySlot, from, to + 1, address);
                }
            }
        }
        return new SlotMap(bySlot);
    }

    private static Host server(Iterator<Integer> lengths, Iterator<String> values, String askedHost) {
        int parts = lengths.next();
        String host = values.next();
        int port = Integer.parseInt(values.next());
        for (int part = 2; part < parts; part++) {
            // The third part is the server's id, the fourth a list of other data.
            int skipped = part == 3 ? lengths.next() : 1;
            for (int i = 0; i < skipped; i++) {
                values.next();
            }
        }
        String name = host(host, askedHost);
        if (name.isEmpty() || port < 1 || port > LAST_PORT) {
            throw new IllegalArgumentException("A server of a cluster must have a host and a port: port=" + port);
        }
        return new Host(name, port);
    }

    static String host(String told, String askedHost) {
        return told.isEmpty() || told.equals(UNKNOWN_HOST) ? askedHost : told;
    }

    /** The master of the slot; null if it is not known. */
    @Nullable
    Host of(int slot) {
        return bySlot[slot];
    }

    Set<Host> masters() {
        return masters;
    }

    /** Returns a map in which this server has the slot. */
    SlotMap with(int slot, Host address) {
        if (address.equals(bySlot[slot])) {
            return this;
        }
        @Nullable Host[] changed = bySlot.clone();
        changed[slot] = address;
        return new SlotMap(changed);
    }

    @Override
    public String toString() {
        return "ClusterMap" + List.copyOf(masters);
    }
}
