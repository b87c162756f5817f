package dev.interlock.jdbc.session;

import dev.interlock.jdbc.dialect.Dialect;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The wakes of one transaction, where a database does not send them itself: sent after the commit, since whoever is
 * woken before would find the name busy still, and sleep on. For whoever has the turn of the {@link Worker}.
 */
public final class PendingWakes {

    /** The wakes by channel, a line each: one connection is enough for all that go to one client. */
    private final Map<String, StringBuilder> wakes = new LinkedHashMap<>();

    /** The channels of those whose turn may pass on. */
    private final Set<String> passable = new HashSet<>();

    private final Set<String> absent = new HashSet<>();

    /** Before a transaction, which may be the last one again. */
    void forget() {
        wakes.clear();
        passable.clear();
        absent.clear();
    }

    /**
     * Adds a wake.
     *
     * @param passes whether the turn goes to another waiter if nobody listens on the channel
     */
    public void add(String channel, String wake, boolean passes) {
        wakes.computeIfAbsent(channel, none -> new StringBuilder()).append(wake).append('\n');
        if (passes) {
            passable.add(channel);
        }
    }

    /** After the commit. */
    void tell(Dialect dialect) {
        wakes.forEach((channel, lines) -> {
            if (!dialect.tell(channel, lines.toString()) && passable.contains(channel)) {
                absent.add(channel);
            }
        });
        wakes.clear();
    }

    /** The channels, of those called by the last transaction, on which nobody listens and whose turn passes on. */
    public Set<String> absent() {
        return Set.copyOf(absent);
    }
}
