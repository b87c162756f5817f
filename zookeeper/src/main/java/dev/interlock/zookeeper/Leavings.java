package dev.interlock.zookeeper;

import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Claims of which something may stand that nobody here relies on: its creation or its deletion has an unknown outcome.
 * They are removed as soon as there is a connection, and again until ZooKeeper says that nothing is left. Used on the
 * loop only.
 */
final class Leavings {

    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Standings all;
    private final Loop loop;
    private final Set<Claim> claims = new LinkedHashSet<>();
    private boolean planned;

    Leavings(Standings all, Loop loop) {
        this.all = all;
        this.loop = loop;
    }

    void add(Claim claim) {
        claims.add(claim);
        plan();
    }

    private void plan() {
        if (!planned && !claims.isEmpty()) {
            planned = true;
            loop.later(PAUSE, () -> {
                planned = false;
                remove();
                plan();
            });
        }
    }

    /** Tries at once, if there is a connection. */
    void remove() {
        Session now = all.present();
        if (now == null) {
            return;
        }
        for (Claim claim : List.copyOf(claims)) {
            Standing again = all.get(claim.owner());
            if (again != null && again.state == Standing.State.NEW) {
                // It lines up again, and the name of its new node is not known yet.
                continue;
            }
            var unused = all.removeAll(now, claim).whenComplete((there, failure) -> {
                if (failure == null) {
                    claims.remove(claim);
                }
            });
        }
    }
}
