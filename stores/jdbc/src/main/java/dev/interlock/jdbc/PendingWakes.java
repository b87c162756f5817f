package dev.interlock.jdbc;

import dev.interlock.jdbc.dialect.Dialect;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The wakes of one transaction, where the database does not send them itself. They are sent after the commit, because a
 * client that is woken before would find the name still busy, and wait on. For the thread that has the session lock.
 */
final class PendingWakes {

    /** The wakes by channel, one line each: one connection is enough for all wakes of one client. */
    private final Map<String, StringBuilder> wakes = new LinkedHashMap<>();

    /** The channels of the waiters that others may overtake. */
    private final Set<String> replaceable = new HashSet<>();

    private final Set<String> undelivered = new HashSet<>();

    /** Forgets all wakes, before a transaction, which may be a retry. */
    void clear() {
        wakes.clear();
        replaceable.clear();
        undelivered.clear();
    }

    /**
     * Adds a wake.
     *
     * @param mayOvertake whether another waiter is to be woken if nobody listens on the channel
     */
    void add(String channel, String wake, boolean mayOvertake) {
        wakes.computeIfAbsent(channel, none -> new StringBuilder()).append(wake).append('\n');
        if (mayOvertake) {
            replaceable.add(channel);
        }
    }

    boolean isEmpty() {
        return wakes.isEmpty();
    }

    /** Sends the wakes, after the commit. */
    void send(Dialect dialect) {
        wakes.forEach((channel, lines) -> {
            if (!dialect.sendWakes(channel, lines.toString()) && replaceable.contains(channel)) {
                undelivered.add(channel);
            }
        });
        wakes.clear();
    }

    /** The channels of the last transaction on which nobody listens, and whose waiters others may overtake. */
    Set<String> undelivered() {
        return Set.copyOf(undelivered);
    }
}
