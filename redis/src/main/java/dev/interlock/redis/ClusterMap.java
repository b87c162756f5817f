package dev.interlock.redis;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which master of a cluster has which slots, as one of its servers has said. Immutable. */
final class ClusterMap {

    private static final int SLOTS = 16_384;

    /** What stands at the place of a host that is the asked one itself. */
    private static final String UNKNOWN_HOST = "?";

    static final ClusterMap EMPTY = new ClusterMap(new Address[SLOTS]);

    private final @Nullable Address[] bySlot;
    private final Set<Address> masters = new LinkedHashSet<>();

    private ClusterMap(@Nullable Address[] bySlot) {
        this.bySlot = bySlot;
        Address last = null;
        for (Address address : bySlot) {
            if (address != null && !address.equals(last)) {
                masters.add(address);
                last = address;
            }
        }
    }

    /**
     * From the answer to {@code CLUSTER SLOTS}.
     *
     * @param askedHost the host of the server that gave it, for servers whose host it leaves out
     */
    static ClusterMap of(Reply reply, String askedHost) {
        Iterator<Integer> lengths = reply.lengths().iterator();
        Iterator<String> values = reply.elements().iterator();
        @Nullable Address[] bySlot = new Address[SLOTS];
        int ranges = lengths.next();
        for (int range = 0; range < ranges; range++) {
            int servers = lengths.next() - 2;
            int from = Integer.parseInt(values.next());
            int to = Integer.parseInt(values.next());
            for (int server = 0; server < servers; server++) {
                Address address = server(lengths, values, askedHost);
                if (server == 0) {
                    // The master stands first.
                    Arrays.fill(bySlot, from, to + 1, address);
                }
            }
        }
        return new ClusterMap(bySlot);
    }

    private static Address server(Iterator<Integer> lengths, Iterator<String> values, String askedHost) {
        int parts = lengths.next();
        String host = values.next();
        int port = Integer.parseInt(values.next());
        for (int part = 2; part < parts; part++) {
            // The third is the server's id, the fourth a list of whatever else there is to say.
            int skipped = part == 3 ? lengths.next() : 1;
            for (int i = 0; i < skipped; i++) {
                values.next();
            }
        }
        return new Address(host(host, askedHost), port);
    }

    static String host(String told, String askedHost) {
        return told.isEmpty() || told.equals(UNKNOWN_HOST) ? askedHost : told;
    }

    /** Who has the slot; null if it is not known. */
    @Nullable
    Address of(int slot) {
        return bySlot[slot];
    }

    Set<Address> masters() {
        return masters;
    }

    /** The same, but this slot is there. */
    ClusterMap with(int slot, Address address) {
        if (address.equals(bySlot[slot])) {
            return this;
        }
        @Nullable Address[] changed = bySlot.clone();
        changed[slot] = address;
        return new ClusterMap(changed);
    }

    @Override
    public String toString() {
        return "ClusterMap" + List.copyOf(masters);
    }
}
