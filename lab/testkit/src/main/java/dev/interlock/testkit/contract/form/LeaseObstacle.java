package dev.interlock.testkit.contract.form;

import dev.interlock.Lease;

/** A lease of somebody else. */
public record LeaseObstacle(Lease lease) implements Site.Obstacle {

    @Override
    public boolean holds() {
        return lease.isValid();
    }

    @Override
    public void close() {
        lease.close();
    }
}
