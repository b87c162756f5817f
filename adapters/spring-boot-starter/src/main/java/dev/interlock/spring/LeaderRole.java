package dev.interlock.spring;

import dev.interlock.Candidate;
import dev.interlock.LeadershipEnd;
import dev.interlock.Lease;
import dev.interlock.spi.WorkLease;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application as a candidate of one election, and the {@link LeaderOnly} methods that run by its leadership.
 *
 * <pre>
 *   ABSENT --elected--> LEADING: methods enter and leave
 *     ^                    | ended: interrupts those that are inside
 *     |                    v
 *     '--the last leaves- ENDING: methods leave, and take the interrupt back
 * </pre>
 *
 * <p>Thread-safe. The monitor guards the fields, and comes before the locks of the client, which knows of each method
 * that runs. No event is published while it is held. It is also held for each interrupt, and when a method asks whether
 * there was one: so none comes to a thread that has left.
 */
final class LeaderRole implements Candidate {

    private final String election;
    private final Consumer<Object> events;

    /** How many methods each thread is in. */
    private final Map<Thread, Integer> inside = new HashMap<>();

    private @Nullable Lease present;

    LeaderRole(String election, Consumer<Object> events) {
        this.election = election;
        this.events = events;
    }

    synchronized @Nullable Lease leadership() {
        Lease lease = present;
        return lease != null && lease.isValid() ? lease : null;
    }

    /** A method that runs by a leadership, and what keeps that, and its thread's other locks, for it. */
    record Entry(Lease leadership, WorkLease.Work work) {}

    /** A method begins; null if it must not. */
    synchronized @Nullable Entry enter() {
        WorkLease.Work work =
                leadership() instanceof WorkLease lease ? lease.begin(WorkLease.Place.THIS_THREAD, null) : null;
        if (work == null) {
            return null;
        }
        inside.merge(Thread.currentThread(), 1, Integer::sum);
        return new Entry(Objects.requireNonNull(present), work);
    }

    /** A method of this leadership has ended. Takes back an interrupt that came from here. */
    synchronized void leave(Entry entered) {
        entered.work().close();
        Integer left =
                inside.merge(Thread.currentThread(), -1, (known, less) -> known + less > 0 ? known + less : null);
        if (left == null) {
            if (present != entered.leadership()) {
                Thread.interrupted();
            }
            notifyAll();
        }
    }

    @Override
    public void elected(Lease leadership) {
        synchronized (this) {
            present = leadership;
        }
        events.accept(new LeaderElectedEvent(election, leadership));
    }

    @Override
    public void ended(Lease leadership, LeadershipEnd end) {
        synchronized (this) {
            present = null;
            inside.keySet().forEach(Thread::interrupt);
        }
        try {
            events.accept(new LeadershipEndedEvent(election, leadership, end));
        } finally {
            awaitMethods();
        }
    }

    private synchronized void awaitMethods() {
        boolean interrupted = false;
        while (!inside.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
