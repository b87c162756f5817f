package dev.interlock.etcd;

import dev.interlock.spi.Tether;
import dev.interlock.support.EventLoop;
import dev.interlock.support.SessionTether;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A lease of etcd to which all claims of this client are bound, kept alive by one request for all of them, as long as
 * somebody needs it. It ends when etcd says so, or when no sign of life has been answered for half of its length, after
 * which nobody knows. All methods are called on the event loop, which guards every field.
 *
 * <pre>
 *   alive ---> over
 * </pre>
 */
final class Session {

    /** Signs of life in one length: the second one that is late still comes in the first half. */
    private static final int SIGNS = 6;

    private final Etcd etcd;
    private final EventLoop loop;
    private final long lease;
    private final long since;
    private final Duration length;
    private final SessionTether tether;
    private final Host host;
    private boolean over;

    /** How many requests are under way that make a claim of this session when they are answered. */
    private int requests;

    /**
     * For each prefix of keys, the numbers of those that this session has, and of those that a late request may still
     * make or delete.
     */
    private final Map<String, BitSet> numbers = new HashMap<>();

    /** Who uses the sessions. */
    interface Host extends Consumer<Session> {

        /** Whether any claim needs this session. */
        boolean needs(Session session);

        /** The session is over. */
        @Override
        void accept(Session ended);
    }

    private Session(Etcd etcd, EventLoop loop, LeaseGrantResponse granted, long sentNanos, Host host) {
        this.etcd = etcd;
        this.loop = loop;
        this.lease = granted.getID();
        this.since = granted.getHeader().getRevision();
        this.length = Duration.ofSeconds(granted.getTTL());
        this.tether = new SessionTether(length, 50, sentNanos, () -> true);
        this.host = host;
    }

    /** Begins a session. */
    static CompletableFuture<Session> begin(Etcd etcd, EventLoop loop, Duration length, Host host) {
        long sent = System.nanoTime();
        return etcd.grant(length).thenApply(granted -> {
            Session session = new Session(etcd, loop, granted, sent, host);
            session.next();
            return session;
        });
    }

    /** The number of the lease. */
    long lease() {
        return lease;
    }

    /** The revision of etcd when it began. */
    long since() {
        return since;
    }

    /** For how long it is certain to live. */
    Tether tether() {
        return tether;
    }

    boolean isOver() {
        return over;
    }

    /**
     * Takes the smallest number that is free among the keys with this prefix. etcd remembers each key that has ever
     * been until it compacts, and looks at all of them when it reads those with a prefix: so keys are used again.
     */
    int takeNumber(String prefix) {
        BitSet taken = numbers.computeIfAbsent(prefix, none -> new BitSet());
        int number = taken.nextClearBit(0);
        taken.set(number);
        return number;
    }

    /** The key with this number is gone, and no request can bring it back or delete it. */
    void giveBack(String prefix, int number) {
        BitSet taken = numbers.get(prefix);
        if (taken != null) {
            taken.clear(number);
            if (taken.isEmpty()) {
                numbers.remove(prefix);
            }
        }
    }

    /** Goes on while this request is under way, as a claim will need the session when it is answered. */
    <T> CompletableFuture<T> during(CompletableFuture<T> request) {
        requests++;
        return request.whenComplete((answer, failure) -> requests--);
    }

    private void next() {
        var unused = loop.later(length.dividedBy(SIGNS), this::live);
    }

    private void live() {
        if (over) {
            return;
        }
        if (tether.leftNanos() <= 0 || (requests == 0 && !host.needs(this))) {
            end();
            return;
        }
        next();
        long sent = System.nanoTime();
        var unused = etcd.keepAlive(lease).whenComplete((answer, failure) -> {
            // Without an answer the next sign of life, or the end of the tether, decides.
            if (failure == null && (answer.getTTL() <= 0 || !tether.move(sent))) {
                end();
            }
        });
    }

    /** Ends it, and revokes the lease: after that nobody else waits for its end. */
    void end() {
        if (!over) {
            over = true;
            tether.cut();
            etcd.revoke(lease);
            host.accept(this);
        }
    }
}
