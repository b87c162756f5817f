package dev.interlock.deadlock;

import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import java.util.List;

/**
 * One caller that has waited for a while, and what it holds meanwhile. It does not change as long as the caller waits.
 *
 * @param client the id of its client
 * @param number identifies it among the waits of its client
 * @param id the name that it waits for
 * @param mode what it wants of the name
 * @param from a number that its client counted before the caller lined up; another wait of this client whose {@code by}
 *     is less stands before it in the same queue
 * @param by the same, when it had lined up
 * @param order its place among all waits: the store gave it when the record of the wait was written, so that all
 *     clients agree who came last
 * @param thread the name of its thread, or its participant
 * @param held what it holds
 */
record Wait(
        String client,
        long number,
        LockId id,
        Mode mode,
        long from,
        long by,
        long order,
        String thread,
        List<Hold> held) {

    /** The same wait, which has its place. */
    Wait withOrder(long newOrder) {
        return new Wait(client, number, id, mode, from, by, newOrder, thread, held);
    }

    /** Whether this came after the other. */
    boolean isAfter(Wait other) {
        if (order != other.order) {
            return order > other.order;
        }
        int clients = client.compareTo(other.client);
        return clients == 0 ? number > other.number : clients > 0;
    }
}
