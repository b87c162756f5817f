package dev.interlock.zookeeper;

import dev.interlock.spi.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A barrier that somebody sets and removes, and at which others wait as long as it is set. It is Curator's
 * {@code DistributedBarrier} on the same path: clients of both can set it, remove it and wait at it. Get one from
 * {@link ZooKeeperStore#curatorBarrier}.
 *
 * <p>A barrier belongs to no session: it stays set until somebody removes it, whoever has died. Whoever waits holds
 * nothing, and goes on waiting with another session when the own one has ended.
 *
 * <p>A call waits for an answer of ZooKeeper for half a minute, also if its own time is over, and then throws
 * {@link dev.interlock.StoreUnavailableException}. Thread-safe. A barrier is cheap to create, and needs no closing.
 */
public final class CuratorBarrier {

    private final BarrierCalls calls;
    private final Barriers barriers;
    private final String name;
    private final BarrierNode node;

    CuratorBarrier(BarrierCalls calls, Barriers barriers, String name) {
        this.calls = calls;
        this.barriers = barriers;
        this.name = name;
        this.node = new BarrierNode(barriers, name);
    }

    /** {@return the barrier's name} */
    public String name() {
        return name;
    }

    /**
     * Sets the barrier. Does nothing if it is set.
     *
     * @throws InterruptedException if the thread is interrupted; the barrier may be set or not
     * @throws IllegalStateException if the name is used for something else
     */
    public void set() throws InterruptedException {
        calls.ask(node::set);
    }

    /**
     * Removes the barrier, so that those go on who wait. Does nothing if it is not set.
     *
     * @throws InterruptedException if the thread is interrupted; the barrier may be set or not
     * @throws IllegalStateException if the name is used for something else
     */
    public void remove() throws InterruptedException {
        calls.ask(node::remove);
    }

    /**
     * {@return whether the barrier is set}
     *
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the name is used for something else
     */
    public boolean isSet() throws InterruptedException {
        return calls.ask(node::isSet);
    }

    /**
     * Waits until the barrier is not set. Returns at once if it is not. Throws like {@link #isSet()}.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    public void await() throws InterruptedException {
        awaitRemoval(null);
    }

    /**
     * Waits until the barrier is not set, for at most {@code wait}. Throws like {@link #await()}.
     *
     * @param wait how long to wait; zero or less asks once
     * @return false if the barrier was still set when the time was over
     */
    public boolean await(Duration wait) throws InterruptedException {
        return awaitRemoval(wait);
    }

    private boolean awaitRemoval(@Nullable Duration wait) throws InterruptedException {
        BarrierNode waiting = new BarrierNode(barriers, name);
        try {
            return calls.await(waiting::look, wait);
        } finally {
            calls.send(waiting::dismiss);
        }
    }

    @Override
    public String toString() {
        return "CuratorBarrier[name=" + Printable.of(name) + "]";
    }
}
