package dev.interlock.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Which share of each command a peer sends itself, and does not call inside of a script: the server's count adds them up. Learned by listening to the
 * server (MONITOR) while the peer warms up, for that would slow down a measurement.
 */
final class Mix {

    private final Map<String, Long> byClients = new HashMap<>();
    private final Map<String, Long> inScripts = new HashMap<>();

    /** Listens to the server on this port for this time. */
    static Mix learn(int port, Duration time) {
        Mix mix = new Mix();
        Monitor.listen(port, time, mix::add);
        return mix;
    }

    /** Between 0 and 1; 1 for a command that was not heard, so that the count is never too small. */
    double clientShare(String command) {
        long outside = byClients.getOrDefault(command, 0L);
        long inside = inScripts.getOrDefault(command, 0L);
        return inside == 0 ? 1 : (double) outside / (outside + inside);
    }

    /** Counts one line, {@code <time> [<database> <address or lua>] "<command>" ...}; anything else is passed over. */
    void add(String line) {
        int close = line.indexOf("] \"");
        int quote = close + 2;
        int end = line.indexOf('"', quote + 1);
        if (close < 0 || end < 0) {
            return;
        }
        boolean script = line.substring(0, close).endsWith(" lua");
        String command = line.substring(quote + 1, end).toLowerCase(Locale.ROOT);
        (script ? inScripts : byClients).merge(command, 1L, Long::sum);
    }
}
