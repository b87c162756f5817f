package dev.interlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The requests at the head of the line that share one transaction, where a transaction locks the whole database anyway:
 * one commit is most of what a small operation costs there. The states of a request:
 *
 * <pre>
 *   in line ---begin()---> begun ---commit-------------> committed: its result is told
 *      |                     |'-----commit fails-------> unknown: it fails with that
 *      |                     '------one of them fails--> undone: it runs again, alone
 *      '-------------------> not wanted any more: it never runs
 * </pre>
 *
 * <p>These rules keep each request as if it were alone:
 *
 * <ul>
 *   <li>A request begins after the transaction has begun. So while another process keeps the database busy, all can be
 *       withdrawn.
 *   <li>No result is told before the commit. After a commit that may or may not have happened, all have failed.
 *   <li>A failure undoes all that the others have done, and they run again: so it harms nobody else, whatever the
 *       failed operation has written. What it costs is their time.
 *   <li>A request that wakes waiters is the last one, so that they wait for no others; and its wakes follow the commit.
 *   <li>A batch is short, since it keeps other processes from writing.
 * </ul>
 *
 * <p>For the thread that has the session lock of the {@link Worker}.
 */
final class Batch {

    /** How many requests share a transaction at most. */
    static final int MOST = 32;

    /** A transaction that has lasted for so long takes no more requests. */
    static final Duration LONG = Duration.ofMillis(1);

    private final Queue<Request<?>> line;
    private final Duration longest;
    private final List<Request<?>> settled = new ArrayList<>();
    private final List<Request<?>> shared = new ArrayList<>();
    private final List<Request<?>> undone = new ArrayList<>();

    /** @param longest when the transaction takes no more requests */
    Batch(Queue<Request<?>> line, Duration longest) {
        this.line = line;
        this.longest = longest;
    }

    /** Whether there is more than one to share a transaction. */
    boolean isWorthIt() {
        Iterator<Request<?>> waiting = line.iterator();
        return isNextSharing(waiting) && waiting.hasNext() && waiting.next().isSharing();
    }

    private static boolean isNextSharing(Iterator<Request<?>> waiting) {
        return waiting.hasNext() && waiting.next().isSharing();
    }

    /** Whether nothing was taken from the line. */
    boolean isEmpty() {
        return settled.isEmpty() && undone.isEmpty();
    }

    /** Those that were taken from the line, and share the transaction or were not wanted any more. */
    List<Request<?>> settled() {
        return settled;
    }

    /** How many are committed, or may be. */
    int committed() {
        return shared.size();
    }

    /** Those that were undone, and run again, each in transactions of its own. */
    List<Request<?>> undone() {
        return undone;
    }

    /** Runs the requests; returns what has failed, or null. */
    @Nullable
    Throwable run(Session session) {
        try {
            session.beginShared();
        } catch (Throwable e) {
            return e;
        }
        Throwable failure = runAll(session);
        if (failure != null) {
            session.rollbackShared(failure);
            failAll(session, failure);
            undo();
            return failure;
        }
        return commit(session);
    }

    private @Nullable Throwable runAll(Session session) {
        long startNanos = System.nanoTime();
        try {
            do {
                Request<?> next = line.remove();
                settled.add(next);
                if (next.begin()) {
                    shared.add(next);
                    next.runIn(session);
                }
            } while (shared.size() < MOST
                    && System.nanoTime() - startNanos < longest.toNanos()
                    && session.pendingWakes().isEmpty()
                    && isNextSharing(line.iterator()));
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    private @Nullable Throwable commit(Session session) {
        try {
            session.commitShared();
        } catch (Throwable e) {
            failAll(session, e);
            if (e instanceof SQLException failure && session.isUsableAfter(failure)) {
                undo();
            }
            return e;
        }
        try {
            session.wakeShared();
            return null;
        } catch (Throwable e) {
            // That of the last one: the others have woken nobody.
            shared.get(shared.size() - 1).fail(session.explained(e));
            return e;
        }
    }

    /** Those that run again get another outcome, unless nobody wants them any more. */
    private void failAll(Session session, Throwable failure) {
        Throwable explained = session.explained(failure);
        shared.forEach(request -> request.fail(explained));
    }

    private void undo() {
        undone.addAll(shared);
        settled.removeAll(shared);
        shared.clear();
    }
}
