package dev.interlock.spring.boot;

import dev.interlock.Interlock;
import dev.interlock.StoreUnavailableException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whether the store answers, and what is at risk: the part of the health indicators that is the same in Boot 3 and 4.
 */
final class StoreHealth {

    /** A name that nobody locks: to look at it is a read. */
    private static final String PROBE = "interlock:health";

    private final Map<String, Interlock> clients;
    private final LeaseWatch watch;

    StoreHealth(Map<String, Interlock> clients, LeaseWatch watch) {
        this.clients = Map.copyOf(clients);
        this.watch = watch;
    }

    /** What was found. */
    record Finding(boolean up, Map<String, Object> details) {}

    Finding look() {
        Map<String, Object> details = new LinkedHashMap<>();
        boolean up = true;
        for (Map.Entry<String, Interlock> client : clients.entrySet()) {
            String prefix = clients.size() == 1 ? "" : client.getKey() + ".";
            long begun = System.nanoTime();
            try {
                var unused = client.getValue().administration().inspect(PROBE);
                details.put(
                        prefix + "answeredWithinMillis",
                        Duration.ofNanos(System.nanoTime() - begun).toMillis());
            } catch (StoreUnavailableException | IllegalStateException e) {
                up = false;
                details.put(prefix + "error", String.valueOf(e.getMessage()));
            }
        }
        details.put("leasesAtRisk", watch.atRisk());
        details.put("leasesLost", watch.lost());
        return new Finding(up, details);
    }
}
