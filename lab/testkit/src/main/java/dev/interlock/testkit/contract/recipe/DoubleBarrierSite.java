package dev.interlock.testkit.contract.recipe;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.barrier.DistributedDoubleBarrier;
import dev.interlock.barrier.DistributedDoubleBarrier.Membership;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.form.Site;
import dev.interlock.testkit.fixture.Caller;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A double barrier of two parties, of which this is one, which leaves as soon as it has entered. */
final class DoubleBarrierSite implements Site {

    static final int PARTIES = 2;

    private final Interlock client;
    private final String name;
    private final DistributedDoubleBarrier barrier;
    private volatile CompletableFuture<Long> entered = new CompletableFuture<>();

    DoubleBarrierSite(Interlock client, String name) {
        this.client = client;
        this.name = name;
        this.barrier = DistributedDoubleBarrier.of(client, name, PARTIES);
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
                enter();
            }

            @Override
            public void vanish() {
                // It has not entered.
            }
        };
    }

    @Override
    public void open() {
        enter();
        Awaitility.await().until(() -> barrier.waiting() == 1);
    }

    private void enter() {
        CompletableFuture<Long> next = new CompletableFuture<>();
        entered = next;
        var unused = Caller.startAction(() -> {
            try (Membership membership = barrier.enter()) {
                next.complete(membership.generation());
            }
        });
    }

    @Override
    public boolean isHeld() {
        try {
            return entered.get(Patience.seconds(), TimeUnit.SECONDS) > 0;
        } catch (Exception e) {
            return false;
        }
    }

    @Override
    public boolean isWaitedFor() {
        return barrier.waiting() > 0;
    }

    @Override
    public boolean isUsed() {
        return !permits().isEmpty();
    }

    @Override
    public void takeAway() {
        permits().forEach(client.administration()::forceUnlock);
    }

    /** The permits of the parties. */
    private List<LockStatus> permits() {
        return client.administration().list("double-barrier:" + name, 1);
    }
}
