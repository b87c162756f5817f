package dev.interlock.jdbc;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The wakes of one transaction, where a database does not send them itself: sent after the commit, since whoever is woken before would find the name busy still, and sleep on. For
 * whoever has the turn of the {@link Worker}.
 */
final class Calls {

    private final List<Call> calls = new ArrayList<>();
    private final Set<String> absent = new HashSet<>();

    /** Before a transaction, which may be the last one again. */
    void forget() {
        calls.clear();
        absent.clear();
    }

    void add(String channel, String wake) {
        calls.add(new Call(channel, wake));
    }

    /** After the commit. */
    void tell(Dialect dialect) {
        for (Call call : calls) {
            if (!dialect.tell(call.channel, call.wake)) {
                absent.add(call.channel);
            }
        }
        calls.clear();
    }

    /** The channels of those who were called by the last transaction and are known to be absent. */
    Set<String> absent() {
        return Set.copyOf(absent);
    }

    private record Call(String channel, String wake) {}
}
