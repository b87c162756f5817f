package dev.interlock.testkit.contract.recipe;

import dev.interlock.Interlock;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.form.Site;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A barrier of two parties, of which this is one: the other is inside when both have passed. */
final class BarrierSite implements Site {

    static final int PARTIES = 2;
    static final String HOLDS_NOTHING = "Whoever has passed a barrier holds nothing";
    static final String BETWEEN_REQUESTS = "A party is interrupted when its request is answered, or has timed out";

    private final Interlock client;
    private final String name;
    private final DistributedBarrier barrier;
    private volatile CompletableFuture<Long> party = new CompletableFuture<>();

    BarrierSite(Interlock client, String name) {
        this.client = client;
        this.name = name;
        this.barrier = DistributedBarrier.of(client, name, PARTIES);
    }

    @Override
    public Obstacle occupy() {
        return new Obstacle() {
            @Override
            public boolean holds() {
                return true;
            }

            @Override
            public void close() {
                arrive();
            }

            @Override
            public void vanish() {
                // It has not arrived.
            }
        };
    }

    @Override
    public void open() {
        arrive();
        Awaitility.await().until(() -> barrier.waiting() == 1);
    }

    private void arrive() {
        party = barrier.awaitAsync().toCompletableFuture();
    }

    @Override
    public boolean isHeld() {
        try {
            return party.get(Patience.seconds(), TimeUnit.SECONDS) > 0;
        } catch (Exception e) {
            return false;
        }
    }

    @Override
    public boolean isWaitedFor() {
        return barrier.waiting() > 0;
    }

    /** The permits of the parties. */
    @Override
    public boolean isUsed() {
        return !client.administration().list("barrier:" + name, 1).isEmpty();
    }

    @Override
    public void takeAway() {
        throw new UnsupportedOperationException(HOLDS_NOTHING);
    }
}
