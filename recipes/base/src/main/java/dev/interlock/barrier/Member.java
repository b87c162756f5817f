package dev.interlock.barrier;

import dev.interlock.Lease;

/**
 * A party of this client that has arrived.
 *
 * @param lease its permits
 * @param generation the generation in which it is
 * @param gate the gate of that generation
 */
record Member(Lease lease, long generation, int gate) {

    long token() {
        return lease.token();
    }
}
