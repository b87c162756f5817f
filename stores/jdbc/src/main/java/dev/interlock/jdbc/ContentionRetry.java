package dev.interlock.jdbc;

import dev.interlock.jdbc.dialect.Dialect;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Retries statements and transactions that fail because of others. The wait of the database itself checks some dozen
 * times a second, at fixed moments, and so may miss every gap of a client that writes again and again; this one checks
 * hundreds of times, at random moments.
 */
final class ContentionRetry {

    private static final long FIRST_PAUSE_NANOS = 200_000;
    private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(4).toNanos();

    private final Dialect dialect;
    private final long patienceNanos;

    ContentionRetry(Dialect dialect, Duration patience) {
        this.dialect = dialect;
        this.patienceNanos = patience.toNanos();
    }

    /**
     * The error of a transaction that does not find a row which it has locked, or just read or written: somebody who
     * does not use row locks has deleted it, or something in the database keeps it away.
     */
    static SQLException vanished() {
        return new SQLTransientException(
                "A row is missing that was just read or written: others delete it, or a trigger keeps it away",
                Dialect.SERIALIZATION_FAILURE);
    }

    /**
     * Runs a statement or a transaction, again and again while it fails because of others. A failure of this kind has
     * changed nothing.
     */
    <T> T retry(Work<T> statement) throws SQLException {
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

    /** A statement, or a whole transaction. */
    interface Work<T> {
        T run() throws SQLException;
    }
}
