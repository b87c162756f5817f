package dev.interlock.engine;

/**
 * Where callers come in: whether there is a place for them in the queue. Not thread-safe: the arbiter's monitor guards
 * it.
 */
final class Entrance {

    /** So many claims for permits are looked after together; with more, each looks after itself. */
    private static final int MOST_PERMIT_CLAIMS = 64;

    private final CallerQueue queue;
    private final Tenures tenures;

    Entrance(CallerQueue queue, Tenures tenures) {
        this.queue = queue;
        this.tenures = tenures;
    }

    /**
     * Whether the caller should line up here. For permits only if there is a line, or nobody at all: as long as the
     * store may have permits left, each caller asks for its own and need not wait for another's answer.
     */
    boolean hasPlaceFor(Waiter waiter) {
        if (!waiter.request().isForPermits()) {
            return true;
        }
        Tenure asked = tenures.present();
        boolean line = asked == null ? queue.isEmpty() : asked.isIn(ClaimState.WAITING) || queue.size() > 1;
        return line && !waiter.once() && tenures.aside().size() < MOST_PERMIT_CLAIMS;
    }

    /** Whether others of this process are in the way of one who makes a single attempt. */
    boolean isBarredTo(Waiter single) {
        Tenure tenure = tenures.present();
        if (!single.isShared()) {
            return tenure != null || !queue.isEmpty() || !tenures.aside().isEmpty();
        }
        if (queue.isEmpty()) {
            return tenure != null && !tenure.hasRoomFor(single);
        }
        // Those in front get it, or not, together with this one.
        return tenure == null || !tenure.isIn(ClaimState.ASKING) || !tenure.isShared() || !queue.isAllShared();
    }
}
