package dev.interlock.etcd;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import dev.interlock.support.SessionClaim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A claim of this client: its key, and what is known of it. It never enters a second time: another one takes its place,
 * with another key. The event loop guards every field.
 *
 * <p>A claim that is ready waits again if a latch was set anew before it asked, or if it reads the answer to an earlier
 * look after that to a later one. Its watch begins at the revision of that look, so it misses nothing.
 */
final class LocalClaim extends SessionClaim {

    /** A state is young in the first quarter of its life. */
    private static final int YOUNG = 4;

    final Session session;

    /** What the keys of its name begin with. */
    final String prefix;

    /** The number of the key among those of its name and its session. */
    final int number;

    /** The prefix, the lease of the session and the number, both in hexadecimal digits. */
    final String key;

    /** The revision that created the key; 0 while it is not known. */
    long revision;

    /** The revision that wrote the key last, as far as this client knows. */
    long written;

    /** How many requests to create the key have no answer, and never may. */
    int unanswered;

    /** How many requests to delete the key have no answer, and never may. */
    int deleting;

    /** Whether a mark keeps this key from being made. */
    boolean marked;

    /** The lease of the state of the name that this claim has prolonged last; 0 if it has prolonged none. */
    private long prolonged;

    /** When that lease is to be prolonged again. */
    private long prolongAgainNanos;

    /** The time of day at which it was made, for people. */
    final long sinceMillis = System.currentTimeMillis();

    private final long sinceNanos = System.nanoTime();
    private @Nullable Watch watch;

    LocalClaim(Books books, Claim claim, Session session, String prefix) {
        super(books, claim, "key=" + prefix);
        this.session = session;
        this.prefix = prefix;
        this.number = session.takeNumber(prefix);
        this.key = prefix + Long.toHexString(session.lease()) + '-' + Integer.toHexString(number);
    }

    /** The claim is this from now on, with the same owner. */
    void become(Claim now) {
        claim = now;
    }

    @Override
    protected void moved(State to) {
        if (to != State.WAITING) {
            watch(null);
        }
    }

    /** Its deletion has been sent, with a mark against requests that come later; or its session is revoked. */
    @Override
    protected void deleteLater() {}

    @Override
    protected Exception endedMeanwhile() {
        return abandoned();
    }

    /**
     * The caller has given up, and hears nothing of this; or the session has ended meanwhile, or the claim's place was
     * not asked for in time: then the engine asks again.
     */
    static Exception abandoned() {
        return new StoreUnavailableException("The claim ended while etcd was asked for it", null);
    }

    /** Waits for this obstacle; null for none. */
    void watch(@Nullable Watch next) {
        if (watch != null) {
            watch.end();
        }
        watch = next;
    }

    boolean isWatching(Queue.Obstacle obstacle) {
        return watch != null && watch.isFor(obstacle);
    }

    /**
     * A request has deleted its key. If no other request can make or delete that any more, the next claim may use it.
     */
    void deleted() {
        if (unanswered == 0 && deleting == 0 && !marked) {
            session.giveBack(prefix, number);
        }
    }

    /**
     * Whether a look of this claim is to prolong the lease of the name's state. That lasts for long, and each poll is a
     * look.
     */
    boolean isToProlong(long stateLease) {
        return stateLease != prolonged || System.nanoTime() - prolongAgainNanos >= 0;
    }

    /** The lease of the state lasts for so long from now on. A quarter of that is no reason to prolong it again. */
    void prolonged(long stateLease, Duration left) {
        prolonged = stateLease;
        prolongAgainNanos = System.nanoTime() + left.dividedBy(YOUNG).toNanos();
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - sinceNanos);
    }
}
