package dev.interlock.quorum;

import dev.interlock.spi.Claim;
import java.time.Duration;

/** The release of a claim in one store of which it is not known whether the claim stands there, or will: again and again until its lease would have ended. */
final class Departure {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Nodes nodes;
    private final int store;
    private final Claim claim;
    private final long untilNanos;

    /** @param claim as the store knows it */
    Departure(Nodes nodes, int store, Claim claim) {
        this.nodes = nodes;
        this.store = store;
        this.claim = claim;
        this.untilNanos = System.nanoTime() + claim.lease().toNanos();
    }

    /** Releases at once, and goes on in the background. */
    void begin() {
        release(FIRST_PAUSE);
    }

    /** Goes on in the background, after a release that has failed. */
    void goOn() {
        pause(FIRST_PAUSE);
    }

    private void pause(Duration pause) {
        if (!nodes.isClosed() && System.nanoTime() - untilNanos < 0) {
            Later.soon(pause).execute(() -> release(pause));
        }
    }

    private void release(Duration pause) {
        if (nodes.isClosed()) {
            return;
        }
        var unused = Nodes.within(nodes.patience(), nodes.get(store).release(claim))
                .whenComplete((held, failure) -> {
                    // It was there and is gone for ever. If it was not there, it may come yet.
                    if (!Boolean.TRUE.equals(held)) {
                        Duration next = pause.multipliedBy(2);
                        pause(next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE);
                    }
                });
    }
}
