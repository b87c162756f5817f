package dev.interlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits while others write. The database's own wait looks some dozen times in a second, at fixed moments, and so may miss every gap that a client leaves
 * which writes again and again; this one looks hundreds of times, at random ones.
 */
final class Contention {

    private static final long FIRST_PAUSE_NANOS = 200_000;
    private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(4).toNanos();

    private final Dialect dialect;
    private final long patienceNanos;

    Contention(Dialect dialect, Duration patience) {
        this.dialect = dialect;
        this.patienceNanos = patience.toNanos();
    }

    /** Runs one statement, again and again while it fails because others write. A statement that fails so has done nothing. */
    <T> T outwait(Session.Work<T> statement) throws SQLException {
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
}
