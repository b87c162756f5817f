package dev.interlock.bench;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * The share of each command that a peer sends directly, and not within a script: the server's count includes both. It
 * is found by MONITOR while the peer warms up, because MONITOR would slow down a measurement.
 */
final class Mix {

    private final Map<String, Long> byClients = new HashMap<>();
    private final Map<String, Long> inScripts = new HashMap<>();

    /** Listens to the server on this port while the work that the supplier starts is done. */
    static Mix learn(int port, Supplier<? extends Future<?>> work) {
        Mix mix = new Mix();
        try (Monitor monitor = new Monitor(port)) {
            Future<?> working = work.get();
            monitor.listen(mix::add, working::isDone);
        }
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
