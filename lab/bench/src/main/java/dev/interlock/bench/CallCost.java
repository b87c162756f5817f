package dev.interlock.bench;

import java.time.Duration;
import java.util.List;

/**
 * The cost of one call for one thread. No other client is active, except the holder in the case of a try.
 *
 * @param acquireMillis the median time of the call
 * @param releaseMillis the median time of the release; 0 for a try that fails
 * @param requests requests for each call and its release
 * @param writes the requests among them that change data
 */
record CallCost(double acquireMillis, double releaseMillis, double requests, double writes) {

    /** What is called. */
    enum Call {
        /** A free lock is locked and unlocked. */
        LOCK,
        /** A lock that another client holds is tried once. */
        TRY,
        /** One of many free permits is acquired and released. */
        PERMIT
    }

    /** Calls again and again, for this time unmeasured and for this time measured. */
    static CallCost of(Call call, PeerKind kind, Wire wire, Duration warmUp, Duration time) {
        String name = "bench-" + call + "-" + wire.roundTrip().toMillis();
        try (Peer holder = kind.open(wire.uriUncounted());
                Peer peer = kind.open(wire.uri())) {
            PeerLock held = holder.lock(name);
            if (call == Call.TRY) {
                held.lock();
            }
            PeerLock lock = peer.lock(name, call == Call.PERMIT ? Flavour.PERMIT : Flavour.PLAIN);
            calls(call, lock, wire, warmUp);
            CallCost cost = calls(call, lock, wire, time);
            if (call == Call.TRY) {
                held.unlock();
            }
            return cost;
        }
    }

    /** As a line of a table. */
    String line(PeerKind peer, Wire wire) {
        List<String> cells = List.of(
                peer.title(),
                wire.title(),
                Verdict.number(acquireMillis),
                Verdict.number(releaseMillis),
                Verdict.number(requests),
                Verdict.number(writes));
        return "| " + String.join(" | ", cells) + " |";
    }

    private static CallCost calls(Call call, PeerLock lock, Wire wire, Duration time) {
        Histogram acquires = new Histogram();
        Histogram releases = new Histogram();
        wire.requests().reset();
        long endNanos = System.nanoTime() + time.toNanos();
        do {
            long askedNanos = System.nanoTime();
            if (call == Call.TRY) {
                tryInVain(lock);
            } else {
                lock.lock();
            }
            long gotNanos = System.nanoTime();
            acquires.record(gotNanos - askedNanos);
            if (call != Call.TRY) {
                lock.unlock();
                releases.record(System.nanoTime() - gotNanos);
            }
        } while (System.nanoTime() - endNanos < 0);
        double calls = acquires.total();
        return new CallCost(
                acquires.percentile(0.5) / 1e6,
                releases.percentile(0.5) / 1e6,
                wire.requests().total() / calls,
                wire.requests().writes() / calls);
    }

    private static void tryInVain(PeerLock lock) {
        try {
            if (lock.tryLock(Duration.ZERO)) {
                throw new IllegalStateException("A lock was granted that another client holds");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while trying", e);
        }
    }
}
