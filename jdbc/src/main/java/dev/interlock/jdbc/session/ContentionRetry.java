package dev.interlock.jdbc.session;

import dev.interlock.jdbc.dialect.Dialect;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits while others write, and does again what the database has undone for the sake of others. The database's own wait
 * looks some dozen times in a second, at fixed moments, and so may miss every gap that a client leaves which writes
 * again and again; this one looks hundreds of times, at random ones.
 */
public final class ContentionRetry {

    private static final long FIRST_PAUSE_NANOS = 200_000;
    private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(4).toNanos();

    private final Dialect dialect;
    private final long patienceNanos;

    ContentionRetry(Dialect dialect, Duration patience) {
        this.dialect = dialect;
        this.patienceNanos = patience.toNanos();
    }

    /**
     * The error of a transaction that has found a row gone which it had locked, or nearly so: somebody has removed it
     * who does not know of row locks.
     */
    public static SQLException vanished() {
        return new SQLTransientException("A row that was there is gone", Dialect.SERIALIZATION_FAILURE);
    }

    /**
     * Runs one statement or transaction, again and again while it fails because of others. What fails so has done
     * nothing.
     */
    <T> T outwait(Work<T> statement) throws SQLException {
        long begun = System.nanoTime();
        long pause = FIRST_PAUSE_NANOS;
        while (true) {
            try {
                return statement.run();
            } catch (SQLException e) {
                if (!dialect.isContention(e) || System.nanoTime() - begun >= patienceNanos) {
                    throw e;
                }
            }
            LockSupport.parkNanos(this, ThreadLocalRandom.current().nextLong(pause / 2, pause));
            pause = Math.min(LONGEST_PAUSE_NANOS, pause * 2);
        }
    }

    /** A statement, or the whole of a transaction. */
    public interface Work<T> {
        T run() throws SQLException;
    }
}
