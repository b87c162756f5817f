package dev.interlock.jdbc;

import dev.interlock.spi.QueuedAnswer;
import dev.interlock.support.SerialExecutor;
import java.util.function.BooleanSupplier;

/**
 * An operation in the line of the {@link Worker}, with its answer. For the thread that has the session lock, but for
 * {@link #tell}, which is called without it: anything may follow from an answer.
 */
final class Request<T> {

    private final Operation<T> operation;
    private final QueuedAnswer<T> answer;
    private final boolean sharing;
    private final BooleanSupplier isClosed;
    private Runnable outcome = () -> {};

    /**
     * @param sharing whether the operation may share a transaction with others
     * @param isClosed whether the store is closed
     */
    Request(Operation<T> operation, QueuedAnswer<T> answer, boolean sharing, BooleanSupplier isClosed) {
        this.operation = operation;
        this.answer = answer;
        this.sharing = sharing;
        this.isClosed = isClosed;
    }

    boolean isSharing() {
        return sharing;
    }

    /** Whether the operation is to run. From then on it cannot be withdrawn. */
    boolean begin() {
        if (isClosed.getAsBoolean()) {
            fail(SerialExecutor.closedException());
            return false;
        }
        return answer.begin();
    }

    /** Runs the operation in a transaction that is not committed yet. */
    void runIn(Session session) throws Exception {
        T result = operation.run(session);
        outcome = () -> answer.complete(result);
    }

    /** Runs the operation in transactions of its own, unless nobody wants it any more. */
    void runAlone(SessionHolder sessions) {
        if (!answer.isWanted()) {
            return;
        }
        // A closed store opens no connection.
        if (isClosed.getAsBoolean()) {
            fail(SerialExecutor.closedException());
            return;
        }
        try {
            T result = sessions.run(operation, this::begin);
            if (result == null) {
                fail(SerialExecutor.closedException());
            } else {
                outcome = () -> answer.complete(result);
            }
        } catch (Throwable e) {
            // Errors too: a driver that fails to load throws one, and an answer that never completes would look like a
            // silent store.
            fail(e);
        }
    }

    void fail(Throwable failure) {
        outcome = () -> answer.completeExceptionally(failure);
    }

    /** Completes the answer. */
    void tell() {
        outcome.run();
    }
}
