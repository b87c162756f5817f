package dev.interlock.engine;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.Log;
import dev.interlock.spi.Printable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says in the log when the store goes silent, and when it is back: one line each, however many requests fail meanwhile.
 * A store is silent when requests have failed for as long as an attempt may take, and none was answered. Requests are
 * reported on any thread, also under an arbiter's monitor, which only sets fields. The supervisor's thread logs.
 *
 * <pre>
 *   answered --a request fails--> failing --another, an attempt's time later--> silent: a line
 *      ^                             |                                             |
 *      '----- any is answered -------'----------- any is answered: a line ---------'
 * </pre>
 *
 * <p>Fields that are written by many threads tell no more than a log needs: an update that is lost is made up by the
 * next request.
 */
final class Outage {

    /** A store that comes and goes is reported at this rate. */
    private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final LockStore store;
    private final long silentNanos;

    /** When the first request was sent that has failed since the last answer; NEVER if none has. */
    private volatile long sinceNanos = EngineClock.NEVER;

    /** What the last failure said; null if there was no answer at all. */
    private volatile @Nullable Throwable cause;

    /** Whether the store counts as silent. */
    private volatile boolean silent;

    /** When the store answered again after that. */
    private volatile long backNanos;

    /** When the silence began that was logged last; NEVER if it is over. Only the supervisor's thread uses these. */
    private long reportedNanos = EngineClock.NEVER;

    private long nextReportNanos = Long.MIN_VALUE;

    Outage(LockStore store, Timeouts timeouts) {
        this.store = store;
        this.silentNanos = timeouts.attemptNanos();
    }

    /** Whether the store counts as silent. */
    boolean isSilent() {
        return silent;
    }

    /** A request was answered. */
    void heard(long now) {
        if (sinceNanos != EngineClock.NEVER) {
            sinceNanos = EngineClock.NEVER;
            cause = null;
            backNanos = now;
            silent = false;
        }
    }

    /** A request has failed. */
    void failed(Throwable failure, long now) {
        cause = failure;
        missed(now, now);
    }

    /** A request that was sent at that moment has had no answer. */
    void missed(long sentNanos, long now) {
        long since = Math.min(sinceNanos, sentNanos);
        sinceNanos = since;
        if (now - since >= silentNanos) {
            silent = true;
        }
    }

    /**
     * Logs what has changed. Called by the supervisor's thread at each sweep, with no lock held. It asks for no sweep
     * of its own: a client that has nothing to do would otherwise look for ever whether the store is back.
     *
     * @param leases counts the leases of this client
     */
    void tick(long now, IntSupplier leases) {
        if (reportedNanos == EngineClock.NEVER) {
            long since = sinceNanos;
            if (silent && since != EngineClock.NEVER && now >= nextReportNanos) {
                reportedNanos = since;
                nextReportNanos = now + PAUSE_NANOS;
                log(Level.WARNING, silence(now - since, leases.getAsInt()));
            }
        } else if (!silent) {
            log(Level.INFO, "The store answers again after " + seconds(backNanos - reportedNanos) + ": " + where());
            reportedNanos = EngineClock.NEVER;
        }
    }

    private String silence(long nanos, int leases) {
        Throwable last = cause;
        String why = last == null ? "it does not answer" : Printable.messageOf(last);
        String risk = leases == 0
                ? "no lease is held"
                : leases + (leases == 1 ? " lease is" : " leases are") + " at risk, and lost when not renewed in time";
        return "The store has been unavailable for " + seconds(nanos) + ": " + why + "; " + risk + ": " + where();
    }

    private static String seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) / 1000.0 + " s";
    }

    private String where() {
        return Printable.of(String.valueOf(store));
    }

    private static void log(Level level, String message) {
        Log.named("dev.interlock").log(level, message);
    }
}
