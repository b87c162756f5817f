package dev.interlock.testkit.contract.recipe;

import dev.interlock.DistributedLatch;
import dev.interlock.testkit.contract.form.Site;

/** A latch: whoever has passed is inside as long as the count is zero. */
final class LatchSite implements Site {

    static final String HOLDS_NOTHING = "Whoever has passed a latch holds nothing";

    private final DistributedLatch latch;

    LatchSite(DistributedLatch latch) {
        this.latch = latch;
    }

    @Override
    public Obstacle occupy() {
        latch.trySetCount(1);
        return new Obstacle() {
            @Override
            public boolean holds() {
                return latch.count() == 1;
            }

            @Override
            public void close() {
                latch.countDown();
            }
        };
    }

    @Override
    public boolean isHeld() {
        return latch.count() == 0;
    }

    @Override
    public boolean isWaitedFor() {
        return !latch.inspect().waiters().isEmpty();
    }

    @Override
    public void takeAway() {
        throw new UnsupportedOperationException(HOLDS_NOTHING);
    }
}
