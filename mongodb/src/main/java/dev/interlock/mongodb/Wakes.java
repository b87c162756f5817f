package dev.interlock.mongodb;

import com.mongodb.client.MongoCollection;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Where the claims of a store that wait hear that it is their turn: one change stream, as long as any of them waits and
 * for a moment longer. A hint beside the polls: who is heard for asks less often, and what the stream has missed is
 * found by the next poll. A deployment that has none, or slow ones, is found out once.
 */
final class Wakes implements Changes.Hearer {

    /** How long a stream stays when nobody waits any more: to open one costs about as much as some polls. */
    static final Duration LINGER = Duration.ofSeconds(10);

    /** How long after one that broke the next may begin. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Supplier<@Nullable MongoCollection<Document>> collection;
    private final long lingerNanos;
    private final Map<OwnerId, Waiting> waiting = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Consumer<Wake> listener;
    private volatile @Nullable Changes changes;
    private volatile boolean refused;
    private volatile boolean closed;

    /** When somebody last asked and had to wait: whoever waits asks far more often than a stream lingers. */
    private volatile long neededNanos;

    /** Guarded by lock. */
    private long notBeforeNanos = System.nanoTime();

    Wakes(Supplier<@Nullable MongoCollection<Document>> collection, Duration linger) {
        this.collection = collection;
        this.lingerNanos = linger.toNanos();
    }

    private record Waiting(LockId id, long askedNanos) {}

    void listener(Consumer<Wake> newListener) {
        listener = newListener;
    }

    /** The stream that hears for this claim from now on; null if none does. */
    @Nullable
    Changes hearing(Claim claim) {
        Changes current = changes;
        boolean heard = current != null
                && current.isLive()
                && current.isOf(claim.owner().clientId());
        return heard ? current : null;
    }

    /** The claim asks, and may have to wait: to be said before others can know of it, and wake it. */
    void mayWait(Claim claim) {
        if (listener != null && !refused) {
            waiting.put(claim.owner(), new Waiting(claim.id(), System.nanoTime()));
        }
    }

    /** The claim waits, from now on or still. */
    void waits(Claim claim) {
        if (listener == null || refused) {
            return;
        }
        neededNanos = System.nanoTime();
        Changes current = changes;
        if (current == null || !current.isAlive()) {
            begin(claim.owner().clientId());
        }
    }

    /** The claim does not wait any more. */
    void waitsNoMore(Claim claim) {
        waiting.remove(claim.owner());
    }

    /** Not waited for: the first who wait poll. */
    private void begin(String clientId) {
        lock.lock();
        try {
            Changes current = changes;
            boolean alive = current != null && current.isAlive();
            if (!closed && !alive && System.nanoTime() - notBeforeNanos >= 0) {
                notBeforeNanos = System.nanoTime() + PAUSE.toNanos();
                forget();
                current = new Changes(collection, clientId, this);
                changes = current;
                current.begin();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void accept(String owner) {
        OwnerId woken = new OwnerId(owner);
        Waiting told = waiting.get(woken);
        if (told != null) {
            tell(new Wake(told.id, woken));
        }
    }

    private void tell(Wake wake) {
        Consumer<Wake> current = listener;
        if (current != null && !closed) {
            current.accept(wake);
        }
    }

    @Override
    public boolean isNeeded() {
        forget();
        return System.nanoTime() - neededNanos < lingerNanos;
    }

    /** An answer that was late for its caller may have noted one that waits no more. */
    private void forget() {
        long now = System.nanoTime();
        waiting.values().removeIf(each -> now - each.askedNanos > lingerNanos);
    }

    @Override
    public void refused() {
        refused = true;
        waiting.clear();
        Failures.LOG.log(System.Logger.Level.DEBUG, "There are no change streams: claims that wait poll");
    }

    /** All who have relied on it ask now. */
    @Override
    public void ended() {
        waiting.forEach((owner, each) -> tell(new Wake(each.id, owner)));
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            Changes current = changes;
            if (current != null) {
                current.end();
            }
        } finally {
            lock.unlock();
        }
    }
}
